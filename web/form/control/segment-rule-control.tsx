import { Box, Button, HStack, Input, Stack, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { FolderPlus, Plus, Trash2 } from 'lucide-react'
import { useContext, useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  COLUMN_PREFIX,
  FAILURE_CLASSES,
  type FailureClass,
  isSegmentGroup,
  MAX_SEGMENT_CONDITIONS,
  MAX_SEGMENT_DEPTH,
  readSegmentRule,
  SEGMENT_TEXTS,
  type SegmentCondition,
  type SegmentGroup,
  type SegmentRule,
  segmentConditions,
  segmentOps,
} from '#schemas/segment-rule.ts'
import { http } from '#web/api/http.ts'
import { useSession } from '#web/api/session.ts'
import { IconButton } from '#web/components/hint.tsx'
import { Segments } from '#web/components/segments.tsx'
import { detailQuery } from '#web/entity/entity-query.ts'
import { useAllChoices } from '#web/entity/read-all.ts'
import { numberText } from '#web/format/number.ts'
import { useDebouncedValue } from '#web/timer.ts'
import { ChoiceControl } from './choice-control.tsx'
import { type Choice, type CodeProps, FormOwnerContext } from './control-props.ts'
import { FormatControl } from './format-control.tsx'
import { type RuleNames, useRuleWords } from './segment-rule-words.ts'

const COUNT_PAUSE_MS = 400
const FACTS = ['country', 'ddd', 'consent', 'lastreply', 'list', 'tag', 'campaign'] as const
const FIRST: SegmentCondition = { field: 'nome', op: 'contains', value: '' }
const EMPTY: SegmentGroup = { all: [FIRST] }

/** The value with which a field and an operator begin. */
const firstValue = (field: string, op: string): SegmentCondition['value'] => {
  if (field === 'lastreply') return 30
  if (field === 'campaign') return { campaign: '' }
  if (field === 'country' || field === 'ddd' || field === 'list') return []
  return field === 'consent' || op === 'empty' || op === 'filled' ? undefined : ''
}

const ruleOf = (text: string): SegmentGroup => {
  try {
    const value = JSON.parse(text) as SegmentRule
    return typeof value === 'object' && value !== null && isSegmentGroup(value) ? value : EMPTY
  } catch {
    return EMPTY
  }
}

interface PartProps {
  readonly names: RuleNames
  /** Offered fields, in order. */
  readonly fields: readonly Choice[]
  readonly choices: { readonly list: readonly Choice[]; readonly campaign: readonly Choice[] }
  /** No further condition fits. */
  readonly isFull: boolean
}

interface ConditionProps extends PartProps {
  readonly value: SegmentCondition
  readonly label: string
  onChange(value: SegmentCondition): void
  onRemove(): void
}

type CampaignValue = { readonly campaign: string; readonly class?: FailureClass }

/** One control for each value of a list; an emptied one leaves the list. */
const ListedValues = ({ label, value, choices, onChange }: Omit<ConditionProps, 'onRemove'>) => {
  const id = useId()
  const values = Array.isArray(value.value) && value.value.length > 0 ? value.value.map(String) : ['']
  const rows = values.map((one, at) => ({
    id: `${id}-${at}`,
    value: one,
    onChange: (next: string) => onChange({ ...value, value: values.with(at, next).filter(each => each !== '') }),
  }))
  return (
    <Stack gap="2">
      {rows.map(row =>
        value.field === 'list' ? (
          <ChoiceControl key={row.id} {...row} label={label} choices={choices.list} />
        ) : (
          <FormatControl key={row.id} {...row} format="country" country="" />
        ),
      )}
    </Stack>
  )
}

const ValueControl = (props: ConditionProps) => {
  const { value: condition, label, choices, onChange } = props
  const { t } = useTranslation('contact')
  const id = useId()
  const { field, op, value } = condition
  const set = (next: SegmentCondition['value']) => onChange({ ...condition, value: next })
  const given = { id, label: `${label}: ${t('rule.value')}` }
  switch (field) {
    case 'consent':
      return null
    case 'list':
    case 'country':
      return <ListedValues {...props} label={given.label} />
    case 'ddd':
      return (
        <Input
          id={id}
          aria-label={given.label}
          inputMode="numeric"
          placeholder="11, 21"
          defaultValue={Array.isArray(value) ? value.join(', ') : ''}
          onChange={event => set(event.target.value.split(/[^\d]+/u).filter(code => code !== ''))}
        />
      )
    case 'lastreply':
      return (
        <HStack gap="2">
          <Input
            id={id}
            aria-label={given.label}
            type="number"
            min={1}
            max={3650}
            w="24"
            value={String(value ?? '')}
            onChange={event => set(Number(event.target.value))}
          />
          <Text>{t('rule.days')}</Text>
        </HStack>
      )
    case 'campaign': {
      const { campaign, class: wanted } = (value ?? { campaign: '' }) as CampaignValue
      return (
        <HStack gap="2" flexWrap={{ base: 'wrap', md: 'nowrap' }} w="100%">
          <ChoiceControl
            {...given}
            value={campaign}
            choices={choices.campaign}
            onChange={next => set({ campaign: next })}
          />
          {op === 'failed' ? (
            <ChoiceControl
              id={`${id}-class`}
              label={`${label}: ${t('rule.why')}`}
              none={t('rule.class.any')}
              value={wanted ?? ''}
              choices={FAILURE_CLASSES.map(name => ({ value: name, label: t(`rule.class.${name}`) }))}
              onChange={next => set({ campaign, ...(next === '' ? {} : { class: next as FailureClass }) })}
            />
          ) : null}
        </HStack>
      )
    }
    default:
      return op === 'empty' || op === 'filled' ? null : (
        <Input
          id={id}
          aria-label={given.label}
          maxLength={200}
          placeholder={
            op === 'before' || op === 'after' ? t('rule.dayhint') : op === 'more' || op === 'less' ? '100' : ''
          }
          value={typeof value === 'string' ? value : ''}
          onChange={event => set(event.target.value)}
        />
      )
  }
}

const kindOfOps = (field: string): string =>
  SEGMENT_TEXTS.includes(field) || field.startsWith(COLUMN_PREFIX) ? 'text' : field

const Condition = (props: ConditionProps) => {
  const { value: condition, label, fields, onChange, onRemove } = props
  const { t } = useTranslation('contact')
  const id = useId()
  const { field, op } = condition
  const kind = kindOfOps(field)
  const ops = (segmentOps(field) ?? []).map(name => ({ value: name, label: t(`rule.${kind}.${name}`) }))
  const changeField = (next: string) => {
    const [first = 'is'] = segmentOps(next) ?? []
    const kept = kindOfOps(next) === kind ? op : next === 'nome' ? 'contains' : first
    onChange({
      field: next,
      op: kept,
      value: kindOfOps(next) === kind && kind === 'text' ? condition.value : firstValue(next, kept),
    })
  }
  const changeOp = (next: string) => {
    const isKept = kind !== 'text' && kind !== 'campaign'
    const value = kind === 'campaign' ? { campaign: (condition.value as CampaignValue).campaign } : condition.value
    const isBare = next === 'empty' || next === 'filled'
    onChange({
      field,
      op: next,
      value: isKept ? condition.value : isBare ? undefined : (value ?? firstValue(field, next)),
    })
  }
  return (
    <HStack as="li" gap="2" align="start" flexWrap={{ base: 'wrap', md: 'nowrap' }}>
      <Box flex={{ base: '1 1 100%', md: '0 0 200px' }}>
        <ChoiceControl
          id={`${id}-f`}
          label={`${label}: ${t('rule.field')}`}
          chosen
          value={field}
          choices={fields}
          onChange={changeField}
        />
      </Box>
      <Box flex={{ base: '1 1 60%', md: '0 0 190px' }}>
        <ChoiceControl
          id={`${id}-o`}
          label={`${label}: ${t('rule.op')}`}
          chosen
          value={op}
          choices={ops}
          onChange={changeOp}
        />
      </Box>
      <Box flex={{ base: '1 1 70%', md: '1' }} minW="0">
        <ValueControl {...props} />
      </Box>
      <IconButton icon={Trash2} label={t('rule.remove', { label })} onClick={onRemove} />
    </HStack>
  )
}

interface GroupProps extends PartProps {
  readonly value: SegmentGroup
  readonly depth: number
  /** Number of the group among its neighbours, such as `2.1`; empty for the outermost. */
  readonly place: string
  onChange(value: SegmentGroup): void
  readonly onRemove?: () => void
}

const Group = ({ value, depth, place, onChange, onRemove, ...part }: GroupProps) => {
  const { t } = useTranslation('contact')
  const kind = value.any === undefined ? 'all' : 'any'
  const rules = value.any ?? value.all ?? []
  const put = (next: readonly SegmentRule[]) => onChange(kind === 'all' ? { all: next } : { any: next })
  const replace = (at: number, next: SegmentRule) => put(rules.map((rule, place) => (place === at ? next : rule)))
  const remove = (at: number) => put(rules.filter((_, place) => place !== at))
  const join = (next: string) => onChange(next === 'all' ? { all: rules } : { any: rules })
  const label = place === '' ? t('rule.title') : t('rule.group', { place })
  return (
    <Box
      role="group"
      aria-label={label}
      borderWidth="1px"
      borderRadius="lg"
      p={{ base: '2.5', md: '3' }}
      bg={depth % 2 === 0 ? 'bg.subtle' : 'bg.surface'}
    >
      <HStack gap="2" mb="2.5" flexWrap="wrap">
        <Segments
          label={t('rule.join')}
          value={kind}
          options={[
            { value: 'all', label: t('rule.all') },
            { value: 'any', label: t('rule.any') },
          ]}
          onChange={join}
        />
        {onRemove === undefined ? null : (
          <Box ms="auto">
            <IconButton icon={Trash2} label={t('rule.remove', { label })} onClick={onRemove} />
          </Box>
        )}
      </HStack>
      <Stack as="ul" listStyleType="none" gap="2">
        {rules.map((rule, at) => {
          const number = place === '' ? String(at + 1) : `${place}.${at + 1}`
          const onGone = rules.length > 1 ? () => remove(at) : (onRemove ?? (() => put([FIRST])))
          return isSegmentGroup(rule) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids; all of their inputs are controlled
            <Box as="li" key={at}>
              <Group
                {...part}
                value={rule}
                depth={depth + 1}
                place={number}
                onChange={next => replace(at, next)}
                onRemove={onGone}
              />
            </Box>
          ) : (
            <Condition
              // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no ids; their kind of input is part of the key
              key={`${at} ${kindOfOps(rule.field)}`}
              {...part}
              value={rule}
              label={t('rule.condition', { place: number })}
              onChange={next => replace(at, next)}
              onRemove={onGone}
            />
          )
        })}
      </Stack>
      <HStack mt="2.5" gap="2" flexWrap="wrap">
        <Button size="sm" variant="ghost" disabled={part.isFull} onClick={() => put([...rules, FIRST])}>
          <Plus size={14} aria-hidden="true" />
          {t('rule.add')}
        </Button>
        {depth < MAX_SEGMENT_DEPTH ? (
          <Button
            size="sm"
            variant="ghost"
            disabled={part.isFull}
            onClick={() => put([...rules, kind === 'all' ? { any: [FIRST] } : { all: [FIRST] }])}
          >
            <FolderPlus size={14} aria-hidden="true" />
            {t('rule.addgroup')}
          </Button>
        ) : null}
      </HStack>
    </Box>
  )
}

/** Level of the segment whose form it is; undefined until it is saved: that of the session. */
const useOwnLevel = (): string | undefined => {
  const owner = useContext(FormOwnerContext)
  const id = owner?.entity === 'segment' ? owner.id : undefined
  const { data } = useQuery({ ...detailQuery('segment', id ?? ''), enabled: id !== undefined })
  return data?.hierarchylevel ?? undefined
}

/** A campaign or a list, among whose contacts the rule chooses. */
type Holder = { readonly campaign: string } | { readonly list: string }

/** Number of people that the rule chooses, with its error. */
const Count = ({ rule, among }: { readonly rule: SegmentGroup; readonly among: Holder | undefined }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const hierarchylevel = useOwnLevel()
  const text = JSON.stringify(rule)
  const rested = useDebouncedValue(text, COUNT_PAUSE_MS)
  const isWhole = readSegmentRule(JSON.parse(rested)).ok
  const { data, isFetching, error } = useQuery({
    queryKey: ['contact', 'sample', hierarchylevel, among, rested],
    queryFn: ({ signal }) =>
      http.post('/segment/sample', {
        body: { rule: JSON.parse(rested), ...(hierarchylevel === undefined ? {} : { hierarchylevel }), ...among },
        signal,
      }),
    enabled: isWhole && can('readcontact'),
    retry: false,
    placeholderData: before => before,
  })
  const shown = !isWhole
    ? t('rule.unfinished')
    : error !== null
      ? t('rule.nocount')
      : data === undefined
        ? t('rule.counting')
        : data.error === 0
          ? t('rule.exact', { count: data.count, shown: numberText(data.count), total: numberText(data.total) })
          : t('rule.about', {
              count: data.count,
              shown: numberText(data.count),
              error: numberText(data.error),
              looked: numberText(data.looked),
              total: numberText(data.total),
            })
  if (!can('readcontact')) return null
  return (
    <Text
      role="status"
      textStyle="card"
      opacity={isFetching || rested !== text ? 0.6 : 1}
      fontVariantNumeric="tabular-nums"
    >
      {shown}
    </Text>
  )
}

/** A rule over contacts as rows of conditions, in words, and with the number of people that it chooses. */
export const SegmentRuleControl = ({ value, onChange, among, ...state }: CodeProps & { readonly among?: Holder }) => {
  const { t } = useTranslation('contact')
  const { can } = useSession()
  const rule = ruleOf(value)
  const [lists, campaigns] = [useAllChoices('contactlist'), useAllChoices('campaign')]
  const hierarchylevel = useOwnLevel()
  const { data: columns } = useQuery({
    queryKey: ['contact', 'columns', hierarchylevel],
    queryFn: ({ signal }) =>
      http.get('/segment/columns', { query: hierarchylevel === undefined ? {} : { hierarchylevel }, signal }),
    enabled: can('readcontact'),
  })
  const names: RuleNames = {
    list: new Map(lists.map(({ value: id, label }) => [id, label])),
    campaign: new Map(campaigns.map(({ value: id, label }) => [id, label])),
  }
  const words = useRuleWords(names)
  const used = [...segmentConditions(rule)].map(({ field }) => field)
  const named = [
    ...new Set([
      ...(columns?.names ?? []).map(name => COLUMN_PREFIX + name),
      ...used.filter(name => name.startsWith(COLUMN_PREFIX)),
    ]),
  ]
  const fields = ['nome', ...named, ...FACTS, ...SEGMENT_TEXTS.slice(1)].map(field => ({
    value: field,
    label: words.fieldOf(field),
  }))
  const sentence = words.sentenceOf(rule)
  const isFixed = state.readOnly === true || state.disabled === true
  return (
    <Stack
      gap="3"
      id={state.id}
      {...(state.describedBy === undefined ? {} : { 'aria-describedby': state.describedBy })}
    >
      {isFixed ? null : (
        <Group
          names={names}
          fields={fields}
          choices={{ list: lists, campaign: campaigns }}
          isFull={used.length >= MAX_SEGMENT_CONDITIONS}
          value={rule}
          depth={1}
          place=""
          onChange={next => onChange(JSON.stringify(next))}
        />
      )}
      <Box borderWidth="1px" borderRadius="lg" px="4" py="3" bg="bg.surface">
        <Count rule={rule} among={among} />
        <Text textStyle="dense" color="fg.muted" mt="1" overflowWrap="anywhere">
          {t('rule.sentence', { sentence })}
        </Text>
      </Box>
    </Stack>
  )
}
