/** The nonce that the server allows for styles made by this page, as it wrote it into the page. */
export const styleNonce = (): string => document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
