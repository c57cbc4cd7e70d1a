import { Button } from '@chakra-ui/react'
import { MessageSquareText } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/api/session.ts'
import { testFromAddress } from '#web/entity/address.ts'
import { RedactedValue, type Replay } from '#web/features/conversation/index.ts'
import { durationOf, secondOf } from '#web/format/time.ts'
import { type HeldValue, slowestMoments, valuesAt } from './replay-moments.ts'
import type { Walk } from './use-replay-player.ts'

const SCOPES = ['dialog', 'conversation', 'user'] as const

interface WalkValuesProps {
  readonly walk: Walk
  readonly words: boolean
  /** Requested kind of a value, such as CPF; undefined if its block has none. */
  readonly kindOf: (value: HeldValue) => string | undefined
  readonly titleOf: (dialog: string, block: string) => string
}

const Value = ({ value, kindOf }: { readonly value: HeldValue } & Pick<WalkValuesProps, 'kindOf'>) => {
  const { t } = useTranslation('replay')
  const kind = () => kindOf(value) ?? t(`kind.${value.kind}`, { defaultValue: t('kind.unknown') })
  const shown = (held: HeldValue['value']) => (held === null ? t('kind.empty') : JSON.stringify(held))
  return (
    <li className="ps-variable" data-changed={value.isNew || undefined}>
      <code title={value.name}>{value.name}</code>
      {value.hidden ? (
        <span>
          <RedactedValue kind={kind()} />
        </span>
      ) : value.value === undefined ? (
        <span className="ps-muted">{t('rewritten')}</span>
      ) : (
        <span className="ps-value" title={shown(value.value)}>
          {shown(value.value)}
        </span>
      )}
      {value.isNew ? (
        <em className="pr-new">
          {value.before === undefined
            ? t('new')
            : t('was', { value: shown(value.before), interpolation: { escapeValue: false } })}
        </em>
      ) : null}
    </li>
  )
}

/** The draft of today, tried from this moment on; for those who may draw it. */
export const TestFromHere = ({ walk, replay }: { readonly walk: Walk; readonly replay: Replay }) => {
  const { t } = useTranslation('replay')
  const { can } = useSession()
  const { step, turn, place } = walk.at
  if (step === undefined || !can('updatedialog')) return null
  const moment = { bot: replay.bot, conversation: replay.conversation, turn: turn.turn, step: place + 1 }
  return (
    <footer className="pr-foot">
      <Button asChild w="full">
        <Link to={testFromAddress(step.dialog, moment)}>
          <MessageSquareText size={15} aria-hidden />
          {t('testhere')}
        </Link>
      </Button>
      <p className="ps-muted">{t('testtext')}</p>
    </footer>
  )
}

/** As what the words that the turn began with were understood, by those who may read them. */
const UnderstoodThen = ({ turn: { understood } }: { readonly turn: Walk['at']['turn'] }) => {
  const { t } = useTranslation('replay')
  if (understood === undefined || understood.intent === null) return null
  const { intent, confidence, entities } = understood
  return (
    <section className="ps-group">
      <h2>{t('understood')}</h2>
      <ul>
        <li className="pr-slow">
          <span>{intent}</span>
          <b>{confidence === null ? '' : `${Math.round(confidence * 100)} %`}</b>
        </li>
        {Object.entries(entities).map(([name, value]) => (
          <li key={name} className="ps-variable">
            <code title={name}>{name}</code>
            <span className="ps-value">{JSON.stringify(value)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The conversation's values at a moment, and its slowest steps. */
export const ReplayValues = ({ walk, words, kindOf, titleOf }: WalkValuesProps) => {
  const { t } = useTranslation('replay')
  const { moments, index, at } = walk
  const values = valuesAt(moments, index, words)
  const slowest = slowestMoments(moments)
  return (
    <section className="ps-scroll" aria-label={t('values')}>
      <h2 className="pr-title">
        {at.step === undefined ? t('turn', { turn: at.turn.turn }) : titleOf(at.step.dialog, at.step.block)}
      </h2>
      <p className="ps-muted">{t('asof', { time: secondOf(new Date(at.time).toISOString()) })}</p>
      {SCOPES.map(scope => {
        const held = values.filter(value => value.scope === scope)
        return held.length === 0 ? null : (
          <section key={scope} className="ps-group">
            <h2>
              {t(`scope.${scope}`)} <span>{held.length}</span>
            </h2>
            <ul>
              {held.map(value => (
                <Value key={value.name} value={value} kindOf={kindOf} />
              ))}
            </ul>
          </section>
        )
      })}
      {values.length === 0 ? <p className="ps-muted">{t('novalues')}</p> : null}
      <UnderstoodThen turn={at.turn} />
      {slowest.length === 0 ? null : (
        <section className="ps-group">
          <h2>{t('slow')}</h2>
          <ul>
            {slowest.map(moment => (
              <li key={moment.time} className="pr-slow">
                <button type="button" onClick={() => walk.goTo(moment.turn.turn, moment.place)}>
                  {titleOf(moment.step?.dialog ?? '', moment.step?.block ?? '')}
                </button>
                <b>{durationOf(moment.step?.ms ?? 0)}</b>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}
