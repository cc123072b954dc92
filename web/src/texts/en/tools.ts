/** English texts that Merge, Crop and Trim share. */
export const tools = {
  chooseOther: 'Another file',
  uploading: 'Uploading',
  fetching: 'The server fetches it',
  waiting: 'Waiting for a free worker',
  cancel: 'Cancel',
  result: 'Result',
  downloadOf: (name: string) => `Download ${name}`,
  from: (before: string) => `was ${before}`,
  saveAs: 'Save as',
  settings: 'Settings',
  code: 'As code',
  codeTitle: 'The same from a program',
  codeLead: 'Put an API key into REFORGE_API_KEY first.',
  cannot: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} is not a kind of file that can be used here.`
      : `${names.length} files are not of a kind that can be used here.`,
  preparing: 'The server makes a picture of it',
  noPicture: 'No picture could be made of it.',
}
