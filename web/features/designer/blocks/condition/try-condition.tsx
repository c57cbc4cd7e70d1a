import { chakra, Input } from '@chakra-ui/react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { holdsPlaceholder } from '#domain/expression/template.ts'
import { chooseBranch, leftType } from '#domain/flow/condition/condition.ts'
import type { OperandType } from '#schemas/blocks/comparison.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { isObject } from '#schemas/json.ts'
import { useWords } from '../../canvas/canvas-context.ts'
import { useForm } from '../../inspector/form-context.ts'
import { outputLabel } from '../../model/label.ts'
import { useStoreValue } from '../../model/store.ts'
import { useDesigner } from '../../session/designer.ts'
import { useTypeOf } from './rule.tsx'

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

const rulesOf = (branch: Json): readonly JsonObject[] => {
  if (Array.isArray(branch)) return branch.filter(isObject)
  if (!isObject(branch)) return []
  return [...listOf(branch.rules).filter(isObject), ...listOf(branch.groups).flatMap(rulesOf)]
}

/** Something that a condition asks for, and that a sample must give. */
interface SampleOperand {
  readonly key: string
  readonly label: string
  readonly type: OperandType
}

const SINGLE = { input: 'string', channel: 'channel', tag: 'tag' } as const

const askedBy = (rule: JsonObject, typeOf: (name: string) => OperandType | undefined): readonly SampleOperand[] => {
  const source = String(rule.source ?? 'input')
  const other = String(rule.valueVariable ?? '')
  const written = listOf(rule.values).filter(value => typeof value === 'string' && holdsPlaceholder(value))
  const right =
    other === ''
      ? written.map(value => ({ key: `expression ${value}`, label: String(value), type: leftType(rule, { typeOf }) }))
      : [{ key: `variable ${other}`, label: other, type: typeOf(other) ?? 'array' }]
  if (source === 'input' || source === 'channel' || source === 'tag') {
    return [{ key: source, label: source, type: SINGLE[source] }, ...right]
  }
  const kind = source === 'expression' ? 'expression' : 'variable'
  const name = String(rule[kind] ?? '')
  return name === '' ? right : [{ key: `${kind} ${name}`, label: name, type: leftType(rule, { typeOf }) }, ...right]
}

const readSample = (text: string, type: OperandType): Json => {
  if (text === '') return null
  if (type !== 'array' && type !== 'object' && type !== 'array-object') return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return type === 'array' ? text.split(',').map(each => each.trim()) : text
  }
}

const Sample = ({
  asked,
  value,
  onChange,
}: {
  asked: SampleOperand
  value: string
  onChange: (value: string) => void
}) => {
  const words = useWords()
  const id = useId()
  const own = asked.key === asked.label
  return (
    <div>
      <label className="pl-label-text" htmlFor={id}>
        {own ? words(`block:option.source.${asked.key}`) : asked.label}{' '}
        {own ? null : <small>{words(`block:option.datatype.${asked.type}`, { defaultValue: asked.type })}</small>}
      </label>
      <Input
        data-trial
        id={id}
        type={asked.type === 'date' ? 'date' : 'text'}
        inputMode={asked.type === 'numeric' ? 'decimal' : undefined}
        value={value}
        onChange={event => onChange(event.target.value)}
      />
    </div>
  )
}

/**
 * Says by which output a condition would leave, for values that a person makes up; nothing is kept of them. One whose
 * expressions do not parse leaves by none.
 */
export const TryCondition = () => {
  const { t } = useTranslation('designer')
  const words = useWords()
  const { node } = useForm()
  const { findings } = useDesigner()
  const typeOf = useTypeOf()
  const [given, give] = useState<Readonly<Record<string, string>>>({})
  const branches = listOf(node.properties.conditions)
  const asked = [
    ...new Map(
      branches
        .flatMap(rulesOf)
        .flatMap(rule => askedBy(rule, typeOf))
        .map(each => [each.key, each]),
    ).values(),
  ]
  const isBroken = useStoreValue(findings).some(({ block, code }) => block === node.id && code === 'block.expression')
  if (asked.length === 0 || isBroken) return null
  const sampleOf = (key: string): Json => {
    const found = asked.find(each => each.key === key)
    return found === undefined ? null : readSample(given[key] ?? '', found.type)
  }
  const place = chooseBranch(branches, {
    input: given.input ?? '',
    channel: given.channel ?? '',
    tags: (given.tag ?? '').split(',').map(tag => tag.trim()),
    variable: name => sampleOf(`variable ${name}`),
    typeOf,
    expression: source => sampleOf(`expression ${source}`),
    now: Date.now(),
    timezone: 'America/Sao_Paulo',
  })
  const output = place === undefined ? undefined : node.outputs[place]
  return (
    <div className="pl-section">
      <chakra.h3 fontSize="sm" fontWeight="semibold">
        {t('condition.try')}
      </chakra.h3>
      {asked.map(each => (
        <Sample
          key={each.key}
          asked={each}
          value={given[each.key] ?? ''}
          onChange={value => give({ ...given, [each.key]: value })}
        />
      ))}
      <chakra.p role="status" display="flex" alignItems="center" gap="2" fontSize="sm">
        <b className="pl-number" data-otherwise={place === undefined || undefined}>
          {place === undefined ? '↳' : place + 1}
        </b>
        {output === undefined || place === undefined
          ? t('condition.leavesOtherwise')
          : t('condition.leaves', { way: outputLabel(node, output, place, words) })}
      </chakra.p>
    </div>
  )
}
