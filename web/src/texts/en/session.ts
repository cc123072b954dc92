/** English texts around signing in. */
export const session = {
  title: 'Sign in',
  lead: 'Convert, compress, merge, crop and trim files on your own server.',
  email: 'E-mail',
  password: 'Password',
  signIn: 'Sign in',
  withKey: 'Sign in with an API key',
  withPassword: 'Sign in with e-mail and password',
  key: 'API key',
  keyHint: 'It was printed when the server started for the first time. It stays in this browser tab.',
  badKey: 'This key is not valid here. Was it copied whole?',
  continue: 'Continue',
  asGuest: 'Go on without an account',
  oidc: (title: string) => `Sign in with ${title}`,
  or: 'or',
  firstStart: 'This server is new. Open the link that it printed when it started to set the first password.',
  forgotten: 'Forgot the password? An administrator can send you a link for a new one.',
}
