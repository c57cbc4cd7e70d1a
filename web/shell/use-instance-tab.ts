import { useEffect } from 'react'
import { useInstance } from '#web/api/early-read.ts'
import { themeOf } from '#web/theme/instance-theme.ts'

const BADGE = '<circle cx="20" cy="6" r="6" fill="#e5484d" stroke="#fff" stroke-width="1.5"/>'

const iconOf = (color: string, badge: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="7" fill="${color}"/>` +
  '<path d="M8 20V8.5h6.2a4.3 4.3 0 0 1 0 8.6H11L8 20z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/>' +
  '<circle cx="14" cy="12.8" r="1.5" fill="#fff"/>' +
  `${badge}</svg>`

/** Whether the icon has a dot. */
let isMarked = false

const drawIcon = (theme: Parameters<typeof themeOf>[0]): void => {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]') ?? document.createElement('link')
  link.rel = 'icon'
  const color = themeOf(theme).accent.solid.value._light
  link.href = `data:image/svg+xml,${encodeURIComponent(iconOf(color, isMarked ? BADGE : ''))}`
  document.head.append(link)
}

/** The tab's icon in the colour of the instance. */
export const useInstanceTab = (): void => {
  const { theme } = useInstance()
  useEffect(() => drawIcon(theme), [theme])
}

/** Marks the tab's icon with a dot while something waits for the user. */
export const useTabBadge = (isShown: boolean): void => {
  const { theme } = useInstance()
  useEffect(() => {
    isMarked = isShown
    drawIcon(theme)
    return () => {
      isMarked = false
      drawIcon(theme)
    }
  }, [theme, isShown])
}

/** `Bots · production · Parley` */
export const usePageTitle = (title: string | undefined): void => {
  const { name } = useInstance()
  useEffect(() => {
    document.title = [title, name, 'Parley'].filter(Boolean).join(' · ')
  }, [title, name])
}
