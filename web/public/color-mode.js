// Before the first paint, so that a dark page never flashes white; the policy allows no inline script.
{
  const chosen = localStorage.getItem('parley.colormode')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.classList.add(dark ? 'dark' : 'light')
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light'
}
