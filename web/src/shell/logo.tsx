/** An anvil with sparks, drawn for this program. The anvil takes the colour of the text around it. */
export const Logo = ({ size = 28 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path
      fill="currentColor"
      d="M2 14h8.500v-1.500H27.200c.5 0 .8.4.7.9-.7 3.300-3.500 5.600-7.900 6v3.100l3.300 2.200c.5.3.7.7.7 1.300v1c0 .6-.4 1-1 1H10c-.6 0-1-.4-1-1v-1c0-.6.200-1 .7-1.300l3.300-2.200v-3.200C6.700 18.900 3.200 17.500 2 14Z"
    />
    <path
      fill="var(--reforge-accent)"
      d="m19.500 1.500 1.250 3.750L24.500 6.500l-3.750 1.250L19.500 11.500l-1.250-3.750L14.500 6.500l3.750-1.250ZM26.800 7.700l.55 1.450 1.450.55-1.450.55-.55 1.450-.55-1.450-1.450-.55 1.450-.55ZM11.600 5.200l.5 1.300 1.300.5-1.300.5-.5 1.300-.5-1.300-1.300-.5 1.300-.5Z"
    />
  </svg>
)
