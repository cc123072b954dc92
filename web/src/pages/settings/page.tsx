/** Settings: the account, its password, and what this browser keeps: appearance, language, downloads. */
import {
  Input,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  Title,
  useMantineColorScheme,
} from '@mantine/core'
import { PageFrame } from '../../components/page-frame.tsx'
import { useDownloadAtOnce } from '../../preferences/downloads.ts'
import { useTexts } from '../../texts/texts.tsx'
import { Account } from './account.tsx'
import { Password } from './password.tsx'

const SCHEMES = ['light', 'dark', 'auto'] as const

export function SettingsPage() {
  const { settings: texts } = useTexts()
  return (
    <PageFrame title={texts.title} lead={texts.lead}>
      <Stack maw={760} gap="md">
        <Account />
        <Look />
        <Downloads />
        <Password />
      </Stack>
    </PageFrame>
  )
}

function Look() {
  const { settings, shell } = useTexts()
  const texts = settings.look
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Paper component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {settings.kept}
      </Text>
      <Stack>
        <Input.Wrapper label={texts.scheme} labelElement="div">
          <SegmentedControl
            display="flex"
            maw={360}
            mt={4}
            aria-label={texts.scheme}
            value={colorScheme}
            onChange={(value) => setColorScheme(SCHEMES.find((each) => each === value) ?? 'auto')}
            data={SCHEMES.map((each) => ({ value: each, label: shell.theme[each] }))}
          />
        </Input.Wrapper>
        {/* One entry for each translation of the texts. */}
        <Select
          label={texts.language}
          description={texts.languageHint}
          maw={360}
          allowDeselect={false}
          value="en"
          data={Object.entries(texts.languages).map(([value, label]) => ({ value, label }))}
        />
      </Stack>
    </Paper>
  )
}

function Downloads() {
  const { settings } = useTexts()
  const [atOnce, setAtOnce] = useDownloadAtOnce()
  return (
    <Paper component="section" aria-label={settings.downloads.title}>
      <Title order={2}>{settings.downloads.title}</Title>
      <Text size="sm" c="dimmed" mb="md">
        {settings.kept}
      </Text>
      <Switch
        label={settings.downloads.atOnce}
        description={settings.downloads.atOnceHint}
        checked={atOnce}
        onChange={({ currentTarget }) => setAtOnce(currentTarget.checked)}
      />
    </Paper>
  )
}
