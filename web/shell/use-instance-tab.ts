import { useEffect } from 'react'
import { useInstance } from '#web/api/early-read.ts'
import { themeOf } from '#web/theme/instance-theme.ts'

const iconOf = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="${color}"/>` +
  '<path d="M8 20V8.5h6.2a4.3 4.3 0 0 1 0 8.6H11L8 20z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/>' +
  '<circle cx="14" cy="12.8" r="1.5" fill="#fff"/></svg>'

/** The tab's icon in the colour of the instance. */
export const useInstanceTab = (): void => {
  const { theme } = useInstance()
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? document.createElement('link')
    link.rel = 'icon'
    link.href = `data:image/svg+xml,${encodeURIComponent(iconOf(themeOf(theme).accent.solid.value._light))}`
    document.head.append(link)
  }, [theme])
}

/** `Bots · production · Parley` */
export const usePageTitle = (title: string | undefined): void => {
  const { name } = useInstance()
  useEffect(() => {
    document.title = [title, name, 'Parley'].filter(Boolean).join(' · ')
  }, [title, name])
}
