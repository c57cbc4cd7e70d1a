import { useSyncExternalStore } from 'react'
import { chatWindow, type ShownChat } from '#web/chat-window/chat-window.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { NoticeHost } from '#web/notice/notice-host.tsx'

const chatPane = lazyModule(() => import('#web/chat-window/chat-pane.tsx'))

const LateChat = ({ shown }: { readonly shown: ShownChat }) => {
  const { value } = useLazyModule(chatPane)
  return value === undefined ? null : <value.ChatPane shown={shown} />
}

/** Notices and the open chat, above every page. The code of the chat is loaded when the first one opens. */
export const LaterParts = () => {
  const shown = useSyncExternalStore(chatWindow.subscribe, chatWindow.current)
  return (
    <>
      {shown === undefined ? null : <LateChat shown={shown} />}
      <NoticeHost />
    </>
  )
}
