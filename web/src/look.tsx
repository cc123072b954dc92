/** How the page looks, with what the library's own buttons are called for those who cannot see them. */
import { MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { styleNonce } from './nonce.ts'
import { useTexts } from './texts/texts.tsx'
import { theme, variables } from './theme.ts'

export function Look({ children }: { children: ReactNode }) {
  const { close } = useTexts().shared
  const named = useMemo(
    () =>
      mergeThemeOverrides(theme, {
        components: { CloseButton: { defaultProps: { 'aria-label': close } } },
      }),
    [close],
  )
  return (
    <MantineProvider
      theme={named}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      {children}
    </MantineProvider>
  )
}
