import type { DeskQueue } from '#runtime/agent/desk/desk-directory.ts'
import type { DeskRow } from '#runtime/agent/desk/desk-index.ts'
import type { OwnDesk } from '#runtime/agent/desk/own-desk.ts'
import type { FoldedConversation } from '#runtime/conversation/engine/folded-conversation.ts'
import { folded } from '#schemas/fold-text.ts'
import { type DeskViewer, mayReadChat } from './desk-access.ts'
import { isPhone } from './desk-row.ts'

/** Conversations that are read at a time: names are sealed in them, and in no index. */
const READ_AT_ONCE = 50
/** Letters of an id, with or without its hyphens. */
const ID = /^[0-9a-f-]{4,36}$/u
const NUMBER = /^[\d\s()+.-]{4,30}$/u
/** Digits of a number that everybody at the desk sees. */
const SHOWN_DIGITS = 4

/** Whether a text is part of a person's name, or of their number. Callers who see its last digits only must give these, or all. */
const isPersonNamed = ({ user }: FoldedConversation, text: string, mayReadAll: boolean): boolean => {
  if (folded(user.name ?? '').includes(folded(text))) return true
  if (!NUMBER.test(text) || !isPhone(user.id)) return false
  const [asked, number] = [text, user.id].map(each => each.replaceAll(/\D/gu, '')) as [string, string]
  if (mayReadAll) return number.includes(asked)
  return number === asked || (asked.length === SHOWN_DIGITS && number.endsWith(asked))
}

/** Those of some chats whose id, or whose person, a text names. Of chats that the viewer may not read only the id counts. */
export const searchChats = async (
  {
    desk,
    viewer,
    queueOf,
  }: {
    readonly desk: OwnDesk
    readonly viewer: DeskViewer
    readonly queueOf: (row: DeskRow) => Promise<DeskQueue | undefined>
  },
  rows: readonly DeskRow[],
  search: string,
): Promise<readonly DeskRow[]> => {
  const text = search.trim()
  const start = ID.test(text.toLowerCase()) ? text.toLowerCase().replaceAll('-', '') : undefined
  const mayReadAll = viewer.can('readconversation')
  const isFound = async (row: DeskRow): Promise<boolean> => {
    if (start !== undefined && row.conversation.replaceAll('-', '').startsWith(start)) return true
    if (!mayReadChat(viewer, row, await queueOf(row), Date.now())) return false
    const held = await desk.load(row.conversation)
    return held !== undefined && isPersonNamed(held, text, mayReadAll)
  }
  const found: DeskRow[] = []
  for (let first = 0; first < rows.length; first += READ_AT_ONCE) {
    const some = rows.slice(first, first + READ_AT_ONCE)
    const areFound = await Promise.all(some.map(isFound))
    found.push(...some.filter((_, place) => areFound[place]))
  }
  return found
}
