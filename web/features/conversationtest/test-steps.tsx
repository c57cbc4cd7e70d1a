import { Box, Button, chakra, HStack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestStep } from '#domain/conversation-test/test-schema.ts'
import { isMachineTitle } from '#domain/flow/text/block-text.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, jsonEqual } from '#schemas/json.ts'
import { http } from '#web/api/http.ts'
import { MessageText } from '#web/components/message-text.tsx'
import { Changed, FailureBody } from './failure-body.tsx'
import type { Column } from './test-matrix.tsx'
import { type Outcome, runQuery } from './test-query.ts'
import { stepText } from './verdict-mark.tsx'

const PERSON = new Set(['user', 'choose', 'press', 'attach', 'locate', 'menu'])

const whoOf = ({ kind }: TestStep): 'bot' | 'person' | 'clock' | 'event' | 'state' => {
  if (kind === 'bot') return 'bot'
  if (kind === 'wait') return 'clock'
  if (kind === 'expect') return 'state'
  return PERSON.has(kind) ? 'person' : 'event'
}

interface RowProps {
  readonly number: number
  readonly who: string
  readonly text: ReactNode
  readonly isStrong: boolean
  readonly state: 'passed' | 'failed' | 'later'
  readonly title?: string | undefined
  readonly children?: ReactNode
}

const StepRow = ({ number, who, text, isStrong, state, title, children }: RowProps) => (
  <Box
    as="li"
    data-step={number}
    data-state={state}
    px="3"
    py="2.5"
    borderInlineStartWidth="3px"
    borderInlineStartColor={state === 'failed' ? 'diff.removed.solid' : 'transparent'}
    bg={state === 'failed' ? 'diff.removed.subtle' : 'bg.surface'}
    color={state === 'later' ? 'fg.muted' : undefined}
    css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
  >
    <HStack align="start" gap="3">
      <Text flex="none" w="5" textAlign="end" textStyle="secondary" color="fg.muted" fontVariantNumeric="tabular-nums">
        {number}
      </Text>
      <Text flex="none" w="14" textStyle="secondary" color="fg.muted" fontWeight="semibold">
        {who}
      </Text>
      <Text
        flex="1"
        minW="0"
        textStyle="dense"
        fontWeight={isStrong || title !== undefined ? 'semibold' : undefined}
        color={title === undefined ? undefined : 'diff.removed.fg'}
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
      >
        {title ?? text}
      </Text>
      {state === 'passed' ? (
        <chakra.span color="diff.added.fg" flex="none">
          <Check size={15} strokeWidth={2.25} aria-hidden="true" />
        </chakra.span>
      ) : null}
      {state === 'failed' ? (
        <chakra.span color="diff.removed.fg" flex="none">
          <X size={15} strokeWidth={2.25} aria-hidden="true" />
        </chakra.span>
      ) : null}
    </HStack>
    {children}
  </Box>
)

interface StepsProps {
  readonly steps: readonly TestStep[]
  readonly outcome: Outcome | undefined
  /** Undefined where what came cannot be taken, or may not be. */
  readonly onAccept: (() => void) | undefined
  /** Takes the words of the message alone; undefined where that is all that is taken anyway. */
  readonly onAcceptWords: (() => void) | undefined
  readonly isBusy: boolean
}

/** Title of a block as in the designer: without one, the name of its type. */
const BlockName = ({ dialog, block, title }: NonNullable<Outcome['at']>) => {
  const { t } = useTranslation('block')
  const { data: flow } = useQuery({
    queryKey: ['dialog', 'blocktypes', dialog],
    queryFn: () => http.get('/{kind}/{id}/flow', { params: { kind: 'dialog', id: dialog } }),
    retry: false,
  })
  const type = flow?.operators[block]?.type
  if (typeof type === 'string' && isMachineTitle(title, type))
    return <b>{t(`type.${type}`, { defaultValue: title })}</b>
  return <b>{title || (flow === undefined ? '' : t('type.unknown'))}</b>
}

interface FailureProps extends Pick<StepsProps, 'onAccept' | 'onAcceptWords' | 'isBusy'> {
  readonly outcome: Outcome
}

/** Expected and actual values, place of failure, and a button to accept. */
const Failure = ({ outcome, onAccept, onAcceptWords, isBusy }: FailureProps) => {
  const { t } = useTranslation('conversationtest')
  const { at } = outcome
  return (
    <Box ps={{ base: '0', sm: '8' }} pt="2" display="grid" gap="2.5">
      <FailureBody {...outcome} />
      <HStack gap="3" flexWrap="wrap">
        {onAccept === undefined ? null : (
          <Button size="sm" loading={isBusy} onClick={onAccept}>
            <Check size={14} aria-hidden="true" />
            {t('accept')}
          </Button>
        )}
        {onAcceptWords === undefined ? null : (
          <Button size="sm" variant="ghost" disabled={isBusy} onClick={onAcceptWords}>
            {t('acceptwords')}
          </Button>
        )}
        {at === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted">
            {t('atblock')} <BlockName {...at} />
          </Text>
        )}
      </HStack>
    </Box>
  )
}

/** State of a step; an unexpected message appears after the step that it followed. */
const stateOf = (number: number, outcome: Outcome | undefined): 'passed' | 'failed' | 'later' => {
  if (outcome === undefined) return 'later'
  if (outcome.passed) return 'passed'
  const { step = 0, kind } = outcome
  if (number === step) return kind === 'extra' ? 'passed' : 'failed'
  return number < step ? 'passed' : 'later'
}

/** A state failure has its own text unless it is about the position. */
const kindOf = ({ kind = 'message', expected }: Outcome): 'message' => {
  const isPlace = typeof expected === 'object' && expected !== null && 'at' in expected
  return (kind === 'state' && !isPlace ? 'held' : kind) as 'message'
}

/** Whether a step expects nothing but that the conversation has ended, or has not. */
const isEnding = (value: unknown): value is { readonly ended: boolean } =>
  isObject(value) && typeof value.ended === 'boolean' && Object.keys(value).length === 1

/** The steps of a test, up to the one that failed, which shows what was expected and what came. */
export const TestSteps = ({ steps, outcome, ...accepting }: StepsProps) => {
  const { t } = useTranslation('conversationtest')
  const isFailing = outcome !== undefined && !outcome.passed
  const textOf = (step: TestStep) =>
    step.kind === 'expect' && isEnding(step.value) ? t(step.value.ended ? 'ended' : 'notended') : stepText(step)
  const title = isFailing ? t(`kind.${kindOf(outcome)}`) : undefined
  const failure = isFailing ? <Failure outcome={outcome} {...accepting} /> : null
  const rows = steps.map((step, place) => {
    const who = whoOf(step)
    const number = place + 1
    const state = stateOf(number, outcome)
    const isFailed = state === 'failed'
    return (
      <StepRow
        key={`${number} ${step.line}`}
        number={number}
        who={t(`who.${who}`)}
        text={who === 'bot' ? <MessageText text={stepText(step)} /> : textOf(step)}
        isStrong={who === 'person'}
        state={state}
        title={isFailed && who !== 'person' ? title : undefined}
      >
        {isFailed && who === 'person' ? (
          <Text textStyle="dense" fontWeight="semibold" color="diff.removed.fg" ps={{ base: '0', sm: '8' }} pt="1">
            {title}
          </Text>
        ) : null}
        {isFailed ? failure : null}
      </StepRow>
    )
  })
  const step = outcome?.step ?? 0
  if (isFailing && (outcome.kind === 'extra' || step === 0))
    rows.splice(
      step,
      0,
      <StepRow key="extra" number={step + 1} who={t('who.bot')} text="" isStrong={false} state="failed" title={title}>
        {failure}
      </StepRow>,
    )
  return (
    <Box as="ol" listStyleType="none" borderWidth="1px" borderRadius="lg" overflow="hidden" bg="bg.surface">
      {rows}
    </Box>
  )
}

interface ValuesProps {
  readonly bot: string
  readonly test: string
  readonly outcome: Outcome | undefined
  /** The oldest first. */
  readonly columns: readonly Column[]
}

const shown = (value: Json | undefined): string => (value === undefined ? '–' : JSON.stringify(value))

/** The newest moment at which a test held. */
const heldAt = (columns: readonly Column[], test: string): Column['moment'] | undefined =>
  columns.findLast(({ outcomes }) => outcomes?.get(test)?.passed === true)?.moment

/** Variables at the end of the test, and those of its last passing run. */
export const TestValues = ({ bot, test, outcome, columns }: ValuesProps) => {
  const { t } = useTranslation('conversationtest')
  const moment = outcome?.passed === false ? heldAt(columns, test) : undefined
  const asked = { at: (moment?.at ?? 'draft') as 'draft', tests: [test] }
  const passed = useQuery({ ...runQuery(bot, asked), enabled: moment !== undefined })
  const now = outcome?.values ?? {}
  const before = moment === undefined ? undefined : passed.data?.outcomes[0]?.values
  const names = [...new Set([...Object.keys(now), ...Object.keys(before ?? {})])].sort()
  const isOther = (name: string) => before !== undefined && !jsonEqual(now[name] ?? null, before[name] ?? null)
  const others = names.filter(isOther)
  if (names.length === 0)
    return (
      <Text textStyle="dense" color="fg.muted">
        {t('novalues')}
      </Text>
    )
  return (
    <>
      {others.length === 0 ? null : (
        <Box as="section" aria-label={t('othervalues')} mb="4">
          <Text textStyle="secondary" color="fg.muted" mb="1.5">
            {t('othervalues')}
          </Text>
          <Box display="grid" gap="2" gridTemplateColumns="repeat(auto-fill, minmax(180px, 1fr))">
            {others.map(name => (
              <Changed key={name} name={name} expected={shown(before?.[name])} came={shown(now[name])} />
            ))}
          </Box>
        </Box>
      )}
      <chakra.dl borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
        {names
          .filter(name => !isOther(name))
          .map(name => (
            <Box
              key={name}
              display="grid"
              gridTemplateColumns="minmax(0, 2fr) minmax(0, 3fr)"
              gap="3"
              px="3"
              py="2"
              textStyle="dense"
              css={{ '&:not(:first-of-type)': { borderTopWidth: '1px' } }}
            >
              <chakra.dt fontFamily="mono" color="fg.muted" overflowWrap="anywhere">
                {name}
              </chakra.dt>
              <chakra.dd fontFamily="mono" overflowWrap="anywhere">
                {shown(now[name])}
              </chakra.dd>
            </Box>
          ))}
      </chakra.dl>
    </>
  )
}
