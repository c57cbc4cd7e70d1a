import { Box, chakra, Field, Input, Text } from '@chakra-ui/react'
import { useTranslation } from 'react-i18next'
import { columnLetters, isSameName } from '#domain/audience/contact-columns.ts'
import type { MappedVariable } from '#domain/campaign/message-body.ts'
import { MAPPING_FORMATS, MAPPING_SOURCES } from '#schemas/entities/campaign.ts'
import { VariableCode } from '#web/components/code-line.tsx'
import { isInBody, useVariableName } from '#web/entity/form/template/variable-name.ts'
import { useLabel } from '#web/entity/label.ts'
import { LabelledSelect } from '#web/form/labelled-select.tsx'
import type { FieldColumns } from './create-query.ts'

interface Props {
  readonly variables: readonly string[]
  readonly mapping: readonly MappedVariable[]
  /** Example that Meta was given, by variable. */
  readonly examples: ReadonlyMap<string, string>
  readonly imported: FieldColumns
  onChange(mapping: readonly MappedVariable[]): void
}

const usual = (variable: string): MappedVariable => ({
  variable,
  source: 'nome',
  text: '',
  default: '',
  format: 'text',
})

/** The field that a variable is filled from, by its name: the person's, or that of an imported column. */
const namedSource = (variable: string, names: FieldColumns['names']): string | undefined => {
  if (isSameName(variable, 'nome')) return 'nome'
  return Object.keys(names).find(field => isSameName(variable, names[field] ?? ''))
}

/** The mapping with an item for each variable of the template, in its order, and no others. `sources`: those of the template. */
export const completeMapping = (
  variables: readonly string[],
  mapping: readonly MappedVariable[],
  names: FieldColumns['names'] = {},
  sources: ReadonlyMap<string, string> = new Map(),
): readonly MappedVariable[] =>
  variables.map(
    (variable, at) =>
      mapping.find(one => one.variable === variable) ?? {
        ...usual(variable),
        // The first variable defaults to the name; the next ones to the fields in order.
        source:
          sources.get(variable) ??
          namedSource(variable, names) ??
          (at === 0 ? 'nome' : (MAPPING_SOURCES[at] ?? 'text')),
      },
  )

const VariableLine = ({
  one,
  example,
  imported: { names, columns },
  onChange,
}: {
  readonly one: MappedVariable
  readonly imported: FieldColumns
  readonly example: string | undefined
  onChange(next: MappedVariable): void
}) => {
  const { t } = useTranslation('campaign')
  const label = useLabel()
  const variableName = useVariableName()
  const texts = label.texts('campaign', 'mapping')
  const member = (name: string) => texts.member(name)
  const optionsOf = (name: string, values: readonly string[]) =>
    values.map(value => [value, member(name).option(value)] as const)
  const isFixed = one.source === 'text'
  /** A field with its column in the file, as a spreadsheet has it: column B · Order. */
  const sourceOption = (field: string, text: string) => {
    const [name, place] = [names[field] ?? text, columns[field]]
    return [field, place === undefined ? name : t('create.column', { letters: columnLetters(place), name })] as const
  }
  return (
    <chakra.li
      display="grid"
      gridTemplateColumns={{ base: '1fr 1fr', md: '110px 1.5fr 1fr 1fr' }}
      gap="3"
      alignItems="start"
      px="4"
      py="3"
      borderTopWidth="1px"
      data-variable={one.variable}
    >
      <Box gridColumn={{ base: '1 / -1', md: 'auto' }} minW="0" pt={{ md: '6' }}>
        {isInBody(one.variable) ? (
          <VariableCode name={one.variable} />
        ) : (
          <Text textStyle="dense" fontWeight="semibold">
            {variableName(one.variable)}
          </Text>
        )}
        {example === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted" overflowWrap="anywhere">
            {t('create.example', { example })}
          </Text>
        )}
      </Box>
      <LabelledSelect
        label={member('source').label}
        value={one.source}
        options={optionsOf('source', MAPPING_SOURCES).map(([field, text]) => sourceOption(field, text))}
        onChange={source => onChange({ ...one, source })}
      />
      <Field.Root>
        <Field.Label>{isFixed ? member('text').label : member('default').label}</Field.Label>
        <Input
          maxLength={1024}
          value={isFixed ? one.text : one.default}
          onChange={event => onChange({ ...one, [isFixed ? 'text' : 'default']: event.target.value })}
        />
      </Field.Root>
      <LabelledSelect
        label={member('format').label}
        value={one.format}
        options={optionsOf('format', MAPPING_FORMATS)}
        onChange={format => onChange({ ...one, format })}
      />
    </chakra.li>
  )
}

/** Source of each template variable, and its fallback for contacts without a value. */
export const VariableTable = ({ variables, mapping, examples, imported, onChange }: Props) => {
  const { t } = useTranslation('campaign')
  const items = completeMapping(variables, mapping)
  return (
    <Box
      as="section"
      aria-label={t('create.variables')}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="lg"
      overflow="hidden"
    >
      <Box px="4" py="3">
        <Text as="h2" textStyle="card">
          {t('create.variables')}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {t(variables.length === 0 ? 'create.novariables' : 'create.variablestext')}
        </Text>
      </Box>
      <chakra.ul listStyleType="none">
        {items.map((one, at) => (
          <VariableLine
            key={one.variable}
            one={one}
            example={examples.get(one.variable)}
            imported={imported}
            onChange={next => onChange(items.with(at, next))}
          />
        ))}
      </chakra.ul>
    </Box>
  )
}
