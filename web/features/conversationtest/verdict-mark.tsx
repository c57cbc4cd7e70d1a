import { chakra } from '@chakra-ui/react'
import { Check, Minus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { readTestFile } from '#domain/conversation-test/read-test-file.ts'
import type { TestStep } from '#domain/conversation-test/test-schema.ts'
import type { Json } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import type { Outcome } from './test-query.ts'

/** Result of a test: `skipped` if it could not start; undefined if unknown. */
export type Verdict = 'passed' | 'failed' | 'skipped' | undefined

interface MarkProps {
  readonly verdict: Verdict
  /** Round, in front of a name. */
  readonly isRound?: boolean
}

const LOOK = {
  passed: { icon: Check, bg: 'diff.added.muted', color: 'diff.added.fg' },
  failed: { icon: X, bg: 'danger.solid', color: 'danger.contrast' },
  skipped: { icon: Minus, bg: 'transparent', color: 'fg.muted' },
} as const

/** A tick, a cross, or a dash, with its word for who does not see it. */
export const Mark = ({ verdict, isRound = false }: MarkProps) => {
  const { t } = useTranslation('conversationtest')
  if (verdict === undefined) return <chakra.span color="fg.subtle">…</chakra.span>
  const { icon: Icon, bg, color } = LOOK[verdict]
  const isSoft = isRound && verdict === 'failed'
  return (
    <chakra.span
      role="img"
      aria-label={t(`verdict.${verdict}`)}
      title={t(`verdict.${verdict}`)}
      display="inline-flex"
      alignItems="center"
      justifyContent="center"
      flex="none"
      w={isRound ? '26px' : '22px'}
      h={isRound ? '26px' : '22px'}
      borderRadius={isRound ? 'full' : 'sm'}
      bg={isSoft ? 'diff.removed.muted' : bg}
      color={isSoft ? 'diff.removed.fg' : color}
      {...(verdict === 'skipped'
        ? { borderWidth: '1px', borderStyle: 'dashed', borderColor: 'border.emphasized' }
        : {})}
    >
      <Icon size={14} strokeWidth={2.5} aria-hidden="true" />
    </chakra.span>
  )
}

/** Could not begin: the place was not there. */
export const verdictOf = (outcome: Pick<Outcome, 'passed' | 'kind'> | undefined): Verdict => {
  if (outcome === undefined) return undefined
  if (outcome.passed) return 'passed'
  return outcome.kind === 'begin' ? 'skipped' : 'failed'
}

export const stepsOf = (file: Json | undefined): readonly TestStep[] => {
  const read = readTestFile(typeof file === 'string' ? file : '')
  return read.ok ? read.file.steps : []
}

const textOf = (value: Json | undefined): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** A message as it is written in one or a few lines: its words, its card, its buttons. */
export const messageText = (message: Json | undefined): string => {
  if (message === undefined || message === null) return ''
  if (!isObject(message)) return textOf(message)
  const { text, contains, matches, type, card, options } = message
  const title = isObject(card) ? card.title : card
  const buttons = Array.isArray(options) ? options.map(option => `[${textOf(option)}]`).join(' ') : ''
  const words = [text, contains === undefined ? undefined : `…${textOf(contains)}…`, matches, title]
  const said = words.flatMap(part => (part === undefined ? [] : [textOf(part)])).filter(part => part !== '')
  const lead = said.length === 0 && typeof type === 'string' ? [type] : said
  return [...lead, buttons].filter(part => part !== '').join('\n')
}

/** The kind of answer that a message waits for, where it says one. */
export const waitOf = (message: Json | undefined): string | undefined =>
  isObject(message) && typeof message.wait === 'string' ? message.wait : undefined

/** Text of a step in one line. */
export const stepText = ({ kind, value }: TestStep): string => {
  if (kind === 'bot') return messageText(value as Json)
  if (typeof value === 'string') return value
  return Object.entries(value as Readonly<Record<string, Json>>)
    .map(([name, held]) => `${name}: ${textOf(held)}`)
    .join(' · ')
}
