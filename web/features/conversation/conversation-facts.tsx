import './facts.css'
import { chakra } from '@chakra-ui/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Json } from '#schemas/event.ts'
import { replayAddress } from '#web/entity/address.ts'
import { durationOf, secondOf } from '#web/format/time.ts'
import { AskedUntil } from './ask-to-see.tsx'
import type { BlockNames, Conversation, Replay, Turn } from './conversation-query.ts'
import { useRatingText } from './desk-line.tsx'
import { RedactedValue } from './transcript.tsx'
import { type PathPart, pathOf } from './walked-path.ts'

/** A variable as a conversation holds it. */
interface KeptValue {
  readonly name: string
  readonly kind: string
  /** Undefined: it may not be read. */
  readonly value: Json | undefined
}

type Scope = Turn['kept'][number]['scope']

/** Variables of the person and conversation after the last turn; dialog variables ended with their dialogs. */
const keptValues = ({ turns, words }: Replay, scope: Scope): readonly KeptValue[] => {
  const values = new Map<string, KeptValue>()
  for (const { kept, wrote, dropped } of turns) {
    for (const name of dropped) values.delete(name)
    for (const { name, kind, masked, scope: one } of kept) {
      if (one !== scope || kind === 'empty') values.delete(name)
      else values.set(name, { name, kind, value: words && !masked ? wrote[name] : undefined })
    }
  }
  return [...values.values()]
}

interface FactsProps {
  readonly conversation: Conversation
  readonly name: string | undefined
  readonly replay: Replay
  readonly names: BlockNames
  /** The conversations of the same person, where there are others. */
  readonly before: ReactNode
  readonly forget: ReactNode
  /** Readers, for users with audit access. */
  readonly readers: ReactNode
}

export const FactSection = ({
  title,
  action,
  children,
}: {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="cv-facts">
    <h3>
      {title}
      {action}
    </h3>
    {children}
  </section>
)

const Path = ({ conversation, replay, names }: Pick<FactsProps, 'conversation' | 'replay' | 'names'>) => {
  const { t } = useTranslation('tool')
  const parts = pathOf(replay.turns)
  const last = parts.length - 1
  const spent = (part: PathPart, place: number): string => {
    if (place === last && conversation.ended === null) return t('conversation.facts.here')
    if (place === 0) return secondOf(new Date(part.start).toISOString())
    return durationOf(part.end - part.start)
  }
  return (
    <FactSection
      title={t('conversation.facts.path')}
      action={<Link to={replayAddress(conversation.id)}>{t('conversation.facts.replay')}</Link>}
    >
      <ol className="cv-path">
        {parts.map((part, place) => (
          <li
            key={`${part.turn} ${part.start} ${part.marker ?? part.dialog}`}
            data-failed={part.errors > 0 || undefined}
          >
            <Link to={replayAddress(conversation.id, part.turn)}>
              {part.marker === undefined
                ? (names.dialogOf(part.dialog) ?? t('conversation.facts.dialog'))
                : names.titleOf(part.dialog, part.marker)}
            </Link>
            <span>
              {spent(part, place)}
              {part.errors === 0 ? null : ` · ${t('conversation.facts.errors', { count: part.errors })}`}
            </span>
          </li>
        ))}
      </ol>
    </FactSection>
  )
}

const Values = ({ title, values }: { readonly title: string; readonly values: readonly KeptValue[] }) => {
  const { t } = useTranslation('replay')
  if (values.length === 0) return null
  return (
    <FactSection title={title}>
      <dl>
        {values.map(({ name, kind, value }) => (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd>
              {value === undefined ? (
                <RedactedValue kind={t(`kind.${kind}`, { defaultValue: t('kind.unknown') })} />
              ) : (
                <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </FactSection>
  )
}

/** Scores that the person gave, and their comments. */
const Ratings = ({ replay }: Pick<FactsProps, 'replay'>) => {
  const { t } = useTranslation('tool')
  const textOf = useRatingText()
  const given = replay.turns.flatMap(({ ratings = [] }) => ratings).filter(({ kind }) => kind !== 'asked')
  // A comment comes with its score again.
  const shown = given.filter(
    ({ kind, about, score, comment }, at) =>
      comment !== undefined ||
      !given
        .slice(at + 1)
        .some(later => later.comment !== undefined && later.about === about && later.score === score) ||
      kind === 'unrated',
  )
  if (shown.length === 0) return null
  return (
    <FactSection title={t('conversation.rating.title')}>
      {shown.map(rating => (
        <div key={rating.time} className="cv-rating">
          <p>{textOf(rating)}</p>
          {rating.comment === undefined ? null : rating.comment === null ? (
            <RedactedValue kind={t('conversation.rating.comment')} />
          ) : (
            <blockquote>{rating.comment}</blockquote>
          )}
        </div>
      ))}
    </FactSection>
  )
}

/** Facts about a conversation: its path, person, ratings and variables. */
export const ConversationFacts = ({ conversation, name, replay, names, before, forget, readers }: FactsProps) => {
  const { t } = useTranslation('tool')
  return (
    <chakra.aside aria-label={t('conversation.facts.title')}>
      <Path conversation={conversation} replay={replay} names={names} />
      <FactSection title={t('conversation.facts.person')}>
        <dl>
          <div>
            <dt>{t('conversation.facts.name')}</dt>
            <dd>{name ?? <RedactedValue kind={t('conversation.hidden')} />}</dd>
          </div>
          <div>
            <dt>{t('conversation.facts.before')}</dt>
            <dd>{before}</dd>
          </div>
        </dl>
        <AskedUntil revealed={conversation.revealed} mt="2" />
        {forget}
      </FactSection>
      <Ratings replay={replay} />
      {readers}
      <Values title={t('conversation.facts.known')} values={keptValues(replay, 'user')} />
      <Values title={t('conversation.facts.values')} values={keptValues(replay, 'conversation')} />
    </chakra.aside>
  )
}
