import { ChatWidget } from './chat-widget.ts'

declare global {
  interface Window {
    parleyChat?: { open(): void; close(): void }
  }
}

/** One script tag starts the chat: `<script src="…/chat/widget.js" data-channel="…" async></script>`. */
const start = (script: HTMLScriptElement): void => {
  const { channel, router, language, open, userId, userName, userHash, payload } = script.dataset
  if (channel === undefined || channel === '' || document.querySelector('parley-chat') !== null) return
  const host = document.createElement('parley-chat')
  document.body.append(host)
  const user = userId === undefined ? undefined : { id: userId, ...(userName === undefined ? {} : { name: userName }) }
  const widget = new ChatWidget(host, {
    channel,
    base: router ?? new URL(script.src, location.href).origin,
    language: language ?? '',
    isHosted: open !== undefined,
    person: {
      ...(user === undefined ? {} : { user }),
      ...(userHash === undefined ? {} : { userhash: userHash }),
      ...(payload === undefined ? {} : { payload }),
    },
  })
  window.parleyChat = { open: () => widget.open(), close: () => widget.close() }
  void widget.start()
}

const script = document.currentScript
if (script instanceof HTMLScriptElement) {
  if (document.body === null) addEventListener('DOMContentLoaded', () => start(script))
  else start(script)
}
