import { Box, Button, chakra, HStack, SimpleGrid, Stack, Text } from '@chakra-ui/react'
import { AlignLeft, CircleAlert, Copy, Link2, RotateCcw } from 'lucide-react'
import { useEffect, useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { EXPRESSION_LIMITS, type Fault, type Outcome, type PathParserName } from '#domain/expression/engine.ts'
import type { Json } from '#schemas/event.ts'
import { CodePane } from '#web/components/code-pane.tsx'
import { Segments } from '#web/components/segments.tsx'
import { notice } from '#web/notice/notice.ts'
import { useCopy } from '#web/notice/use-copy.ts'
import { Page } from '#web/page/page.tsx'
import { useDebouncedValue } from '#web/timer.ts'

/** Values of `parsertype` in the address. */
const PARSER_TYPES = ['jsonpathplus', 'jsonata'] as const
type ParserType = (typeof PARSER_TYPES)[number]

/** The languages as a bot's setting names them. */
const PARSERS: Readonly<Record<ParserType, PathParserName>> = { jsonpathplus: 'JSONPath', jsonata: 'JsonAta' }

const parserTypeOf = (value: string | null): ParserType => PARSER_TYPES.find(type => type === value) ?? 'jsonpathplus'

/** Characters of a fragment that programs pass on whole. */
const MAX_FRAGMENT = 8_000

interface Shared {
  readonly expression: string
  readonly input: string
}

/** The fragment that holds both texts, or the expression alone when it would be too long. It never reaches a server. */
const encodeFragment = ({ expression, input }: Shared): { readonly fragment: string; readonly isWhole: boolean } => {
  const whole = `#${new URLSearchParams({ expression, input })}`
  if (whole.length <= MAX_FRAGMENT) return { fragment: whole, isWhole: true }
  return { fragment: `#${new URLSearchParams({ expression })}`.slice(0, MAX_FRAGMENT), isWhole: false }
}

const decodeFragment = (hash: string): Partial<Shared> => {
  const given = new URLSearchParams(hash.slice(0, MAX_FRAGMENT).replace(/^#/u, ''))
  const [expression, input] = [given.get('expression'), given.get('input')]
  return { ...(expression === null ? {} : { expression }), ...(input === null ? {} : { input }) }
}

/** Offset of a JSON syntax error, parsed from V8 and Firefox messages; by default the end of the text. */
const jsonFaultOffset = (text: string, message: string): number => {
  const position = /position (\d+)/u.exec(message)?.[1]
  if (position !== undefined) return Math.min(Number(position), text.length)
  const [, line, column] = /line (\d+) column (\d+)/u.exec(message) ?? []
  if (line === undefined || column === undefined) return text.trimEnd().length
  const before = text.split('\n').slice(0, Number(line) - 1)
  return Math.min(before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1, text.length)
}

const lineAndColumn = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** A fault in words, with the line and column where it is. */
const useFaultText = () => {
  const { t } = useTranslation('tool')
  return ({ code, place, name = '' }: Fault, source: string): string => {
    const what = t(`jsonpath.fault.${code}`, { name: name.slice(0, 100) })
    return t('jsonpath.at', { what, ...lineAndColumn(source, place.offset) })
  }
}

/** UTF-16 units of the JSON. */
const MAX_INPUT = 1_000_000
/** Of the result as it is shown. */
const MAX_SHOWN = 200_000
const TYPING_PAUSE_MS = 250

type Evaluation =
  | { readonly state: 'empty' | 'pending' | 'nothing' }
  | { readonly state: 'input'; readonly offset: number }
  | { readonly state: 'fault'; readonly fault: Fault }
  | { readonly state: 'value'; readonly text: string; readonly isCut: boolean; readonly count: number | undefined }

const parse = (text: string): { readonly value: Json } | { readonly offset: number } => {
  try {
    return { value: JSON.parse(text) as Json }
  } catch (error) {
    return { offset: jsonFaultOffset(text, error instanceof Error ? error.message : '') }
  }
}

const shown = (outcome: Outcome<unknown>): Evaluation => {
  if (!outcome.ok) return { state: 'fault', fault: outcome.fault }
  const text = JSON.stringify(outcome.value, null, 2) as string | undefined
  if (text === undefined) return { state: 'nothing' }
  const count = Array.isArray(outcome.value) ? outcome.value.length : undefined
  return { state: 'value', text: text.slice(0, MAX_SHOWN), isCut: text.length > MAX_SHOWN, count }
}

const evaluate = async (parser: PathParserName, source: string, input: Json): Promise<Evaluation> => {
  const { evaluator } = await import('#web/expression/evaluator.ts')
  return shown(await evaluator.evaluate({ kind: 'path', parser, source, input }))
}

/** Evaluates an expression on an input after a pause in typing; in a worker, within its limits. */
const useEvaluation = (parser: PathParserName, expression: string, input: string): Evaluation => {
  const source = useDebouncedValue(expression, TYPING_PAUSE_MS)
  const text = useDebouncedValue(input, TYPING_PAUSE_MS)
  const parsed = useMemo(() => parse(text), [text])
  const [evaluation, setEvaluation] = useState<Evaluation>({ state: 'pending' })
  useEffect(() => {
    if (source.trim() === '' || text.trim() === '') return setEvaluation({ state: 'empty' })
    if ('offset' in parsed) return setEvaluation({ state: 'input', offset: parsed.offset })
    let isCurrent = true
    void evaluate(parser, source, parsed.value).then(next => {
      if (isCurrent) setEvaluation(next)
    })
    return () => {
      isCurrent = false
    }
  }, [parser, source, text, parsed])
  return evaluation
}

const SAMPLE = JSON.stringify(
  {
    store: {
      name: 'Casa Lume',
      orders: [
        { id: 'A-17', customer: 'Ana', total: 129.9, paid: true, items: ['lamp', 'shade'] },
        { id: 'A-18', customer: 'Rui', total: 42.5, paid: false, items: ['bulb'] },
        { id: 'A-19', customer: 'Eva', total: 310, paid: true, items: ['chandelier', 'bulb', 'switch'] },
      ],
    },
  },
  null,
  2,
)

interface Example {
  /** Translation key under `tool:jsonpath.example`. */
  readonly key: string
  readonly expression: string
}

/** Over SAMPLE. */
const EXAMPLES: Readonly<Record<PathParserName, readonly Example[]>> = {
  JSONPath: [
    { key: 'each', expression: '$.store.orders[*].customer' },
    { key: 'filter', expression: '$.store.orders[?@.paid == true].id' },
    { key: 'greater', expression: '$.store.orders[?@.total > 100]' },
    { key: 'last', expression: '$.store.orders[-1]' },
    { key: 'anywhere', expression: '$..items[0]' },
  ],
  JsonAta: [
    { key: 'each', expression: 'store.orders.customer' },
    { key: 'filter', expression: 'store.orders[paid].id' },
    { key: 'greater', expression: 'store.orders[total > 100]' },
    { key: 'sum', expression: '$sum(store.orders[paid].total)' },
    { key: 'shape', expression: 'store.orders.{ "who": customer, "count": $count(items) }' },
  ],
}

const PARSER_QUERY = 'parsertype'

const PaneHead = ({ title, children }: { readonly title: string; readonly children?: React.ReactNode }) => (
  <HStack minH="8" gap="2" flexWrap="wrap">
    <Text as="h2" textStyle="label" flex="1" minW="fit-content">
      {title}
    </Text>
    {children}
  </HStack>
)

const FaultLine = ({ id, text }: { readonly id: string; readonly text: string | undefined }) => (
  <HStack id={id} role="status" aria-live="polite" gap="2" minH="5" color="danger.fg" textStyle="secondary">
    {text === undefined ? null : (
      <>
        <CircleAlert size={14} aria-hidden="true" style={{ flex: 'none' }} />
        <span>{text}</span>
      </>
    )}
  </HStack>
)

/** Input, expression, initial values and result. */
const usePad = () => {
  const [search, setSearch] = useSearchParams()
  const type = parserTypeOf(search.get(PARSER_QUERY))
  const given = useMemo(() => decodeFragment(location.hash), [])
  const [input, setInput] = useState(given.input ?? SAMPLE)
  const first = EXAMPLES[PARSERS[type]][0]?.expression ?? ''
  const [expression, setExpression] = useState(given.expression ?? first)
  const evaluation = useEvaluation(PARSERS[type], expression, input)
  const choose = (next: typeof type) => {
    // An untouched example becomes that of the other language.
    const at = EXAMPLES[PARSERS[type]].findIndex(example => example.expression === expression)
    const same = EXAMPLES[PARSERS[next]][at]
    if (same !== undefined) setExpression(same.expression)
    setSearch({ [PARSER_QUERY]: next }, { replace: true })
  }
  return { type, choose, input, setInput, expression, setExpression, evaluation }
}

/** /tools/jsonpathonline: a path or JSONata over a JSON text, evaluated while it is typed. */
export const JsonPathPage = () => {
  const { t } = useTranslation('tool')
  const pad = usePad()
  const copy = useCopy()
  const faultText = useFaultText()
  const id = useId()
  const { type, input, expression, evaluation } = pad
  const inputFault =
    evaluation.state === 'input'
      ? {
          place: { offset: evaluation.offset, length: 1 },
          message: t('jsonpath.notjson', lineAndColumn(input, evaluation.offset)),
        }
      : undefined
  const expressionFault =
    evaluation.state === 'fault'
      ? { place: evaluation.fault.place, message: faultText(evaluation.fault, expression) }
      : undefined
  const share = () => {
    const { fragment, isWhole } = encodeFragment({ expression, input })
    const address = new URL(location.href)
    address.searchParams.set(PARSER_QUERY, type)
    address.hash = fragment
    void copy(address.href, t(isWhole ? 'jsonpath.linkcopied' : 'jsonpath.linkshort'))
  }
  const format = () => {
    try {
      pad.setInput(JSON.stringify(JSON.parse(input), null, 2))
    } catch {
      notice.snack(t('jsonpath.notformatted'))
    }
  }
  return (
    <Page
      title={t('jsonpath.title')}
      purpose={t('purpose.jsonpath')}
      actions={
        <Button onClick={share}>
          <Link2 size={15} aria-hidden="true" />
          {t('jsonpath.copylink')}
        </Button>
      }
    >
      <HStack mb="3" gap="3" flexWrap="wrap">
        <Segments
          label={t('jsonpath.parser')}
          value={type}
          options={PARSER_TYPES.map(value => ({ value, label: t(`jsonpath.parsers.${value}`) }))}
          onChange={pad.choose}
        />
        <HStack gap="1.5" flexWrap="wrap" role="group" aria-label={t('jsonpath.examples')}>
          {EXAMPLES[PARSERS[type]].map(example => (
            <Button
              key={example.key}
              size="xs"
              variant="outline"
              borderStyle="dashed"
              aria-pressed={example.expression === expression}
              title={example.expression}
              onClick={() => {
                pad.setExpression(example.expression)
                if (input.trim() === '') pad.setInput(SAMPLE)
              }}
            >
              {t(`jsonpath.example.${example.key}`)}
            </Button>
          ))}
        </HStack>
      </HStack>
      <SimpleGrid columns={{ base: 1, lg: 2 }} gap="4" pb="4" alignItems="stretch">
        <Stack gap="1.5" minW="0" order={{ base: 1, lg: 0 }}>
          <PaneHead title={t('jsonpath.input')}>
            <Button size="xs" variant="ghost" onClick={format}>
              <AlignLeft size={14} aria-hidden="true" />
              {t('jsonpath.format')}
            </Button>
            <Button size="xs" variant="ghost" disabled={input === SAMPLE} onClick={() => pad.setInput(SAMPLE)}>
              <RotateCcw size={14} aria-hidden="true" />
              {t('jsonpath.sample')}
            </Button>
          </PaneHead>
          <CodePane
            label={t('jsonpath.input')}
            value={input}
            onChange={pad.setInput}
            language="json"
            lineNumbers
            height="max(300px, calc(100dvh - 330px))"
            maxLength={MAX_INPUT}
            describedBy={`${id}-input`}
            fault={inputFault}
          />
          <FaultLine id={`${id}-input`} text={inputFault?.message} />
        </Stack>
        <Stack gap="1.5" minW="0">
          <PaneHead title={t('jsonpath.expression')} />
          <CodePane
            label={t('jsonpath.expression')}
            value={expression}
            onChange={pad.setExpression}
            minHeight="72px"
            maxLength={EXPRESSION_LIMITS.source}
            describedBy={`${id}-expression`}
            fault={expressionFault}
            autoFocus
          />
          <FaultLine id={`${id}-expression`} text={expressionFault?.message} />
          <Result evaluation={evaluation} onCopy={text => void copy(text, t('jsonpath.copied'))} />
        </Stack>
      </SimpleGrid>
    </Page>
  )
}

interface ResultProps {
  readonly evaluation: ReturnType<typeof useEvaluation>
  readonly onCopy: (text: string) => void
}

const Result = ({ evaluation, onCopy }: ResultProps) => {
  const { t } = useTranslation('tool')
  const text = evaluation.state === 'value' ? evaluation.text : undefined
  const empty = evaluation.state === 'nothing' ? t('jsonpath.nothing') : t('jsonpath.noresult')
  const count = evaluation.state === 'value' ? evaluation.count : undefined
  return (
    <Stack as="section" aria-label={t('jsonpath.result')} gap="1.5" flex="1" minH="0">
      <PaneHead title={t('jsonpath.result')}>
        {count === undefined ? null : (
          <Text as="span" textStyle="secondary" color="fg.muted" role="status">
            {t('jsonpath.count', { count })}
          </Text>
        )}
        <Button size="xs" variant="ghost" disabled={text === undefined} onClick={() => onCopy(text ?? '')}>
          <Copy size={14} aria-hidden="true" />
          {t('jsonpath.copy')}
        </Button>
      </PaneHead>
      {text === undefined ? (
        <Box borderWidth="1px" borderStyle="dashed" borderRadius="md" px="4" py="6" flex="1">
          <Text textStyle="dense" color="fg.muted" textAlign="center">
            {empty}
          </Text>
        </Box>
      ) : (
        <Box flex="1" minH="160px" maxH={{ lg: 'max(160px, calc(100dvh - 480px))' }} overflow="hidden" display="grid">
          <CodePane label={t('jsonpath.result')} value={text} language="json" height="100%" />
        </Box>
      )}
      {evaluation.state === 'value' && evaluation.isCut ? (
        <chakra.p textStyle="secondary" color="warning.fg">
          {t('jsonpath.cut')}
        </chakra.p>
      ) : null}
    </Stack>
  )
}
