/** Which fields must neither be shown nor kept, by their names. */
export const isSecret = (name: string): boolean =>
  /password|passphrase|secret|token|private_key|(^|_)access_key$/.test(name)
