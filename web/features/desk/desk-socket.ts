import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { DeskFrame } from '#schemas/api/desk.ts'
import { type DeskSummary, openDeskConnection } from '#web/shell/desk-summary.ts'

/** A typing frame is forgotten after this time, ms. */
const TYPING_MS = 6_000
/** Frames about chats are gathered for this long before they are read again, ms. */
const GATHER_MS = 150

interface Typist {
  readonly from: 'user' | 'agent'
  readonly name: string | undefined
}

interface Viewer {
  readonly user: string
  readonly name: string
}

interface DeskPresence {
  readonly isConnected: boolean
  readonly typing: ReadonlyMap<string, readonly Typist[]>
  readonly viewing: ReadonlyMap<string, readonly Viewer[]>
}

const NOTHING: DeskPresence = { isConnected: false, typing: new Map(), viewing: new Map() }

export interface DeskLive extends DeskPresence {
  sendTyping(conversation: string, on: boolean): void
}

/** Reads changed chats again, several at a time. */
const gatherChanges = (client: QueryClient) => {
  const changed = new Map<string, number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    timer = undefined
    for (const [conversation, revision] of changed) {
      const known = client.getQueryData<{ revision: number }>(['desk', 'chat', conversation])?.revision ?? 0
      if (known < revision) void client.invalidateQueries({ queryKey: ['desk', 'chat', conversation] })
    }
    changed.clear()
    void client.invalidateQueries({ queryKey: ['desk', 'list'] })
  }
  return {
    add(conversation: string, revision: number) {
      changed.set(conversation, Math.max(revision, changed.get(conversation) ?? 0))
      timer ??= setTimeout(flush, GATHER_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

const withTypist = (
  typing: DeskPresence['typing'],
  conversation: string,
  typist: Typist,
  on: boolean,
): DeskPresence['typing'] => {
  const others = (typing.get(conversation) ?? []).filter(
    one => one.from !== typist.from || (typist.from === 'agent' && one.name !== typist.name),
  )
  return new Map(typing).set(conversation, on ? [...others, typist] : others)
}

/** Connects to the desk and applies its frames. */
const openDesk = (client: QueryClient, put: (change: (known: DeskPresence) => DeskPresence) => void) => {
  let viewed: string | null = null
  const changes = gatherChanges(client)
  const expiry = new Map<string, ReturnType<typeof setTimeout>>()
  const setTyping = (conversation: string, typist: Typist, on: boolean) => {
    const key = `${conversation} ${typist.from} ${typist.name ?? ''}`
    clearTimeout(expiry.get(key))
    expiry.delete(key)
    if (on)
      expiry.set(
        key,
        setTimeout(() => setTyping(conversation, typist, false), TYPING_MS),
      )
    put(known => ({ ...known, typing: withTypist(known.typing, conversation, typist, on) }))
  }
  const setSummary = (change: (summary: DeskSummary) => DeskSummary) => {
    client.setQueriesData<DeskSummary>({ queryKey: ['desk', 'summary'] }, before =>
      before === undefined ? before : change(before),
    )
  }
  const take = (frame: DeskFrame) => {
    switch (frame.kind) {
      case 'chat':
        changes.add(frame.conversation, frame.revision)
        break
      case 'typing':
        setTyping(frame.conversation, { from: frame.from, name: frame.name }, frame.on)
        break
      case 'viewing':
        put(known => ({ ...known, viewing: new Map(known.viewing).set(frame.conversation, frame.users) }))
        break
      case 'state': {
        const { kind: _kind, ...me } = frame
        setSummary(summary => ({ ...summary, me }))
        break
      }
      case 'counts': {
        const { kind: _kind, ...counts } = frame
        setSummary(summary => ({ ...summary, counts }))
        break
      }
      default:
        // A frame of a later version.
        break
    }
  }
  const connection = openDeskConnection(undefined, {
    opened: () => {
      // Changes before this moment were announced to nobody here, also since an earlier visit of the page.
      void client.invalidateQueries({ queryKey: ['desk'] })
      put(known => ({ ...known, isConnected: true }))
      connection.send({ kind: 'view', conversation: viewed })
    },
    received: take,
    lost: () => put(() => NOTHING),
  })
  return {
    view(conversation: string | null) {
      viewed = conversation
      connection.send({ kind: 'view', conversation })
    },
    sendTyping: (conversation: string, on: boolean) => connection.send({ kind: 'typing', conversation, on }),
    stop() {
      connection.stop()
      changes.stop()
      for (const timer of expiry.values()) clearTimeout(timer)
    },
  }
}

/** The desk's socket while its page is open: changed chats are read again, typing and viewing are shown. */
export const useDeskSocket = (open: string | undefined): DeskLive => {
  const client = useQueryClient()
  const [known, setKnown] = useState(NOTHING)
  const desk = useRef<ReturnType<typeof openDesk>>(undefined)
  useEffect(() => {
    const opened = openDesk(client, setKnown)
    desk.current = opened
    return () => {
      desk.current = undefined
      opened.stop()
    }
  }, [client])
  useEffect(() => desk.current?.view(open ?? null), [open])
  return { ...known, sendTyping: (conversation, on) => desk.current?.sendTyping(conversation, on) }
}
