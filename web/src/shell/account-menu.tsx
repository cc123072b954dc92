/** Who is here, how the page looks, and the way out. */
import { ActionIcon, Button, Group, Menu, Text, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconDeviceDesktop, IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react'
import { Link } from 'wouter'
import { useNotifyError } from '../components/error-box.tsx'
import { useSession } from '../session/session.tsx'
import { useTexts } from '../texts/texts.tsx'

const SCHEMES = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop }

export function AccountMenu() {
  const { shell } = useTexts()
  const { user, signOut } = useSession()
  const notifyError = useNotifyError()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isMember = user !== null && user.role !== 'guest'
  return (
    <Group gap="xs" wrap="nowrap">
      {!isMember && (
        <Button component={Link} href="/sign-in" variant="default" size="xs">
          {shell.signIn}
        </Button>
      )}
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon aria-label={shell.account} size="xl">
            <IconUserCircle stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {user && (
            <>
              <Menu.Label>
                <Text size="sm" truncate>
                  {isMember ? user.email : shell.guest}
                </Text>
              </Menu.Label>
              <Menu.Divider />
            </>
          )}
          <Menu.Label>{shell.theme.label}</Menu.Label>
          {(['light', 'dark', 'auto'] as const).map((scheme) => {
            const Icon = SCHEMES[scheme]
            return (
              <Menu.Item
                key={scheme}
                leftSection={<Icon size={16} />}
                rightSection={colorScheme === scheme ? <IconCheck size={16} /> : null}
                onClick={() => setColorScheme(scheme)}
              >
                {shell.theme[scheme]}
              </Menu.Item>
            )
          })}
          {user && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => signOut().catch(notifyError)}>
                {shell.signOut}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
    </Group>
  )
}
