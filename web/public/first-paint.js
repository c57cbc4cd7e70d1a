// Before the first paint. A separate script: the policy allows none inside the page.
{
  // A dark page never flashes white.
  const chosen = localStorage.getItem('parley.colormode')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}
{
  // Loads the texts and the code of the open page beside the scripts that ask for them. The build names these files.
  const files = JSON.parse(document.currentScript.dataset.files ?? '{}')
  const [, addressed, path] = /^\/botadmin(?:\/(en|es|pt)(?=\/|$))?(.*)$/u.exec(location.pathname) ?? []
  const language = addressed ?? localStorage.getItem('parley.language') ?? 'pt'
  const isHome = /^\/?$/u.test(path)
  const isOpen = /^\/(login|forgot|newpassword)\/?$/u.test(path)
  const code = isOpen ? [files.signIn] : [files.frame, isHome ? [] : files.routes]
  for (const file of [files[language], ...code].flat()) {
    if (file === undefined) continue
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.crossOrigin = ''
    link.href = `/botadmin/${file}`
    document.head.append(link)
  }
}
