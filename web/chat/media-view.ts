import type { ChatMedia } from './chat-protocol.ts'
import { h, icon, pictureView, safeMedia } from './dom.ts'
import { markdown } from './markdown.ts'
import type { ViewContext } from './view-context.ts'

const playing = (media: HTMLMediaElement, button: HTMLElement, context: ViewContext, hides: boolean): void => {
  const show = () => {
    button.replaceChildren(icon(media.paused ? 'play' : 'pause'))
    button.setAttribute('aria-label', context.t(media.paused ? 'play' : 'pause'))
    if (hides) button.hidden = !media.paused
  }
  for (const event of ['play', 'pause', 'ended']) media.addEventListener(event, show)
  button.addEventListener('click', () => void (media.paused ? media.play().catch(() => undefined) : media.pause()))
  show()
}

const sound = (context: ViewContext, src: string, title: string): HTMLElement => {
  if (!context.look.own.audio) return h('audio', { src, controls: true, preload: 'none', 'aria-label': title })
  const media = h('audio', { src, preload: 'none' })
  const button = h('button', { type: 'button' })
  const line = h('progress', { max: 1, value: 0, 'aria-label': title || context.t('play') })
  media.addEventListener('timeupdate', () => {
    line.value = media.duration > 0 ? media.currentTime / media.duration : 0
  })
  playing(media, button, context, false)
  return h('div', { class: 'player' }, media, button, line)
}

const film = (context: ViewContext, src: string, { title = '', aspectRatio = '' }: ChatMedia): HTMLElement => {
  const isOwn = context.look.own.video
  const media = h('video', { src, preload: 'metadata', playsinline: true, controls: !isOwn, 'aria-label': title })
  const [width, height] = aspectRatio.split(':').map(Number)
  if (width && height) media.style.aspectRatio = `${width} / ${height}`
  if (!isOwn) return media
  const button = h('button', { type: 'button' })
  playing(media, button, context, true)
  media.addEventListener('click', () => media.pause())
  return h('div', { class: 'film' }, media, button)
}

/** A picture, sound or film with its words. */
export const mediaView = (context: ViewContext, media: ChatMedia): HTMLElement[] => {
  const { title = '', text = '', kind } = media
  const src = safeMedia(media.url, context.base)
  const words = title || text ? h('div', { class: 'words' }, title && h('h3', {}, title), ...markdown(text)) : undefined
  const shown =
    src === undefined
      ? undefined
      : /audio/i.test(kind)
        ? sound(context, src, title)
        : /video/i.test(kind)
          ? film(context, src, media)
          : pictureView({ class: 'top', src, alt: title, loading: 'lazy' })
  return [shown, words].filter(each => each !== undefined)
}
