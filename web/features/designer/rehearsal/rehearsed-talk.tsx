import { Minus, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { isObject, textOf } from '#schemas/json.ts'
import { MessageText } from '#web/components/message-text.tsx'
import type { RehearsedConversation } from '#web/features/rehearsal/index.ts'

type Turn = RehearsedConversation['today']['turns'][number]

/** The words of a message: its text, else the title of its card. */
const wordsOf = ({ content }: Turn['said'][number]): string => {
  if (!isObject(content)) return ''
  const { text, title, type } = content
  return [text, title].map(textOf).find(words => words !== '') ?? textOf(type)
}

const Said = ({ turn }: { readonly turn: Turn }) => (
  <>
    {turn.input === null ? null : (
      <p className="rt-bubble" data-from="user">
        {turn.input}
      </p>
    )}
    {turn.said.map((message, place) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the messages of a turn keep their order
      <div key={place} className="rt-bubble">
        <MessageText text={wordsOf(message)} />
        {message.actions.length === 0 ? null : <span className="rt-actions">{message.actions.join(' · ')}</span>}
      </div>
    ))}
  </>
)

const isSame = (one: Turn | undefined, other: Turn | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** A conversation: the words of both paths, then those of today and of after. */
export const RehearsedTalk = ({ talk }: { readonly talk: RehearsedConversation }) => {
  const { t } = useTranslation('rehearsal')
  const { today, after } = talk
  const parted = today.turns.findIndex((turn, place) => !isSame(turn, after.turns[place]))
  const common = parted === -1 ? Math.min(today.turns.length, after.turns.length) : parted
  const sides = [
    { side: 'today', turns: today.turns.slice(common), Icon: Minus },
    { side: 'after', turns: after.turns.slice(common), Icon: Plus },
  ] as const
  return (
    <div className="rt-talk">
      {today.turns.slice(0, common).map((turn, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the turns of a conversation keep their order
        <Said key={place} turn={turn} />
      ))}
      {sides.map(({ side, turns, Icon }) =>
        turns.length === 0 ? null : (
          <section key={side} className="rt-side" data-side={side}>
            <h3>
              <Icon size={14} strokeWidth={2.5} aria-hidden />
              {t(side)}
            </h3>
            {turns.map((turn, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the turns of a conversation keep their order
              <Said key={place} turn={turn} />
            ))}
          </section>
        ),
      )}
    </div>
  )
}
