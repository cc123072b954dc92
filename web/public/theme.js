// Light or dark before anything is drawn. A file of its own, because the page's policy forbids scripts in the page.
{
  const kept = localStorage.getItem('mantine-color-scheme-value')
  const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
}
