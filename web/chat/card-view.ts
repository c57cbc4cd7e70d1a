import type { ChatAction, ChatCard, ChatMedia, ChatMessage } from './chat-protocol.ts'
import { h, icon, pictureView, safeLink, safeMedia } from './dom.ts'
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

/** A button of a card: a link where it opens an address. */
export const actionButton = (
  context: ViewContext,
  message: ChatMessage,
  action: ChatAction,
  className: string,
): HTMLElement => {
  const href = action.type === 'openUrl' ? safeLink(action.value) : undefined
  if (href !== undefined)
    return h('a', { class: className, href, target: '_blank', rel: 'noopener noreferrer' }, action.title || href)
  if (action.type === 'openUrl') return h('button', { class: className, type: 'button', disabled: true }, action.title)
  const title = action.title || (action.type === 'skip' ? context.t('skip') : (action.value ?? ''))
  const press = () => context.press(message, action)
  return h('button', { class: className, type: 'button', 'data-action': action.id, onclick: press }, title)
}

/** The buttons of a card, a row each; the first is filled where the bot's own cards are drawn, but not in a carousel. */
export const actionRows = (
  context: ViewContext,
  message: ChatMessage,
  actions: readonly ChatAction[],
): HTMLElement | undefined => {
  if (actions.length === 0) return undefined
  const fill = context.look.own.hero && message.type !== 'carousel'
  return h(
    'div',
    { class: 'rows' },
    ...actions.map((action, at) => actionButton(context, message, action, at === 0 && fill ? 'row filled' : 'row')),
  )
}

const picture = (context: ViewContext, card: ChatCard, className: string): HTMLElement | undefined => {
  const src = safeMedia(card.image, context.base)
  return src === undefined ? undefined : pictureView({ class: className, src, alt: '', loading: 'lazy' })
}

const wordsOf = ({ title, subtitle, text }: ChatCard): HTMLElement | undefined =>
  title || subtitle || text
    ? h(
        'div',
        { class: 'words' },
        title && h('h3', {}, title),
        subtitle && h('p', { class: 'sub' }, subtitle),
        ...(text ? markdown(text) : []),
      )
    : undefined

/** A picture, title and words, with buttons. */
export const cardView = (
  context: ViewContext,
  message: ChatMessage,
  card: ChatCard,
  actions: readonly ChatAction[] = card.actions ?? [],
): HTMLElement => {
  const rows = actionRows(context, message, actions)
  if (card.media?.url) return h('div', { class: 'card' }, ...mediaView(context, card.media), rows)
  if (card.thumbnail)
    return h('div', { class: 'card' }, h('div', { class: 'flat' }, picture(context, card, ''), wordsOf(card)), rows)
  return h('div', { class: 'card' }, picture(context, card, 'top'), wordsOf(card), rows)
}

/** Index of the card at the start of the lane. */
const cardAt = (lane: HTMLElement): number => {
  const starts = [...lane.children].map(child =>
    Math.abs((child as HTMLElement).offsetLeft - lane.offsetLeft - lane.scrollLeft),
  )
  return starts.indexOf(Math.min(...starts))
}

const stepper = (context: ViewContext, lane: HTMLElement, count: number): HTMLElement => {
  const { t } = context
  const dots = Array.from({ length: count }, (_, at) => h('i', at === 0 ? { class: 'on' } : {}))
  const go = (by: number) => {
    const card = lane.children[Math.max(0, Math.min(count - 1, cardAt(lane) + by))] as HTMLElement
    lane.scrollTo({ left: card.offsetLeft - lane.offsetLeft })
  }
  const button = (name: 'previous' | 'next', sign: 'left' | 'right', by: number) =>
    h('button', { type: 'button', class: sign, 'aria-label': t(name), onclick: () => go(by) }, icon(sign))
  const [left, right] = [button('previous', 'left', -1), button('next', 'right', 1)]
  left.classList.add('spent')
  lane.addEventListener('scroll', () => {
    const at = cardAt(lane)
    for (const [place, dot] of dots.entries()) dot.className = place === at ? 'on' : ''
    const isAtEnd = lane.scrollLeft + lane.clientWidth >= lane.scrollWidth - 2
    left.classList.toggle('spent', at === 0)
    right.classList.toggle('spent', isAtEnd)
  })
  return h('div', { class: 'steps' }, left, h('span', { class: 'dots', 'aria-hidden': 'true' }, ...dots), right)
}

/** Cards beside each other. */
export const carouselView = (context: ViewContext, message: ChatMessage): HTMLElement => {
  const { t, look } = context
  const cards = message.cards ?? []
  const views = cards.map((card, at) => {
    const view = cardView(context, message, card)
    view.setAttribute('role', 'group')
    view.setAttribute('aria-label', t('card', { place: at + 1, count: cards.length }))
    return view
  })
  const lane = h('div', { class: 'lane', tabindex: 0, role: 'group', 'aria-label': t('cards') }, ...views)
  const isOwn = look.own.carousel && cards.length > 1
  const steps = isOwn ? stepper(context, lane, cards.length) : undefined
  return h('div', { class: isOwn ? 'carousel own' : 'carousel' }, lane, steps)
}
