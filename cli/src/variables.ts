/** What the command line reads from the environment, for the manual and docs/cli.md. */

export const VARIABLES: Readonly<Record<string, string>> = {
  REFORGE_URL: 'Address of the server; https://localhost:8443 without it and without a login.',
  REFORGE_API_KEY: 'API key.',
  REFORGE_CA: 'Certificate authority to trust. That of a server on this machine is found by itself.',
  REFORGE_DATA: 'Data folder of a server on this machine; ./data, then data in the folder of the project.',
  XDG_CONFIG_HOME: 'Where reforge/config.json is kept; ~/.config by default.',
  XDG_CACHE_HOME: 'Where compiled files of the program are kept, in reforge; ~/.cache by default.',
  NO_COLOR: 'Set to anything: no colours.',
}
