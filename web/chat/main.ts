import { askLanguage, ChatWidget } from './chat-widget.ts'

declare global {
  interface Window {
    parleyChat?: { open(): void; close(): void }
  }
}

/** One script tag starts the chat: `<script src="…/chat/widget.js" data-channel="…" async></script>`. */
const start = (script: HTMLScriptElement): void => {
  const { channel, router, language, open, note, userId, userName, userHash, payload } = script.dataset
  if (channel === undefined || channel === '' || document.querySelector('parley-chat') !== null) return
  const host = document.createElement('parley-chat')
  document.body.append(host)
  const user = userId === undefined ? undefined : { id: userId, ...(userName === undefined ? {} : { name: userName }) }
  const own = router?.startsWith('/') ? location.origin + router : router
  const base = own ?? new URL(script.src, location.href).origin
  const make = (spoken: string) => {
    const widget = new ChatWidget(host, {
      channel,
      base,
      language: spoken,
      isHosted: open !== undefined,
      ...(note === undefined ? {} : { note }),
      person: {
        ...(user === undefined ? {} : { user }),
        ...(userHash === undefined ? {} : { userhash: userHash }),
        ...(payload === undefined ? {} : { payload }),
      },
    })
    window.parleyChat = { open: () => widget.open(), close: () => widget.close() }
    void widget.start()
    return widget
  }
  if (language !== undefined && language !== '') {
    make(language)
    return
  }
  const widget = askLanguage(base, channel).then(make)
  window.parleyChat = {
    open: () => void widget.then(each => each.open()),
    close: () => void widget.then(each => each.close()),
  }
}

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
  if (document.body === null) addEventListener('DOMContentLoaded', () => start(script))
  else start(script)
}
