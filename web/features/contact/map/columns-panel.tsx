import { Box, chakra, Field, HStack, Text } from '@chakra-ui/react'
import { ChevronRight, EyeOff } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ChoiceControl, SwitchControl } from '#web/form/control/choice-control.tsx'
import { useContactFieldName } from '#web/form/control/contact-field-name.ts'
import { FIELD_NAMES, NAME_FIELD } from '../contact-fields.ts'
import type { Preview, UploadMapping } from './use-contact-file.ts'

/** Countries of numbers without a country code, ISO 3166. */
const COUNTRIES = ['BR', 'PT', 'AR', 'BO', 'CL', 'CO', 'EC', 'ES', 'MX', 'PE', 'PY', 'US', 'UY'] as const

interface PanelProps {
  readonly preview: Preview
  readonly taking: UploadMapping
  /** Variables of the template, by the field that fills them. */
  readonly used: ReadonlyMap<string, readonly string[]>
  onTake(change: Partial<UploadMapping>): void
  onHeader(header: boolean): void
}

interface ColumnProps {
  readonly name: string
  readonly sample: string
  readonly target: string
  readonly hint: string | undefined
  onTarget(target: string): void
}

const Column = ({ name, sample, target, hint, onTarget }: ColumnProps) => {
  const { t } = useTranslation('contact')
  const fieldName = useContactFieldName()
  const choices = ['phone', NAME_FIELD, ...FIELD_NAMES].map(value => ({ value, label: fieldName(value) }))
  return (
    <HStack as="li" gap="2.5" px="4" py="2" minH="14" borderTopWidth="1px">
      <Box flex="1" minW="0">
        <Text textStyle="card" truncate color={target === '' ? 'fg.muted' : undefined}>
          {name}
        </Text>
        <Text textStyle="secondary" color="fg.muted" truncate>
          {sample || t('map.empty')}
        </Text>
      </Box>
      <Box color="fg.subtle" flex="none">
        <ChevronRight size={15} aria-hidden="true" />
      </Box>
      <Box w="138px" flex="none">
        <ChoiceControl
          id={name}
          label={t('map.columnis', { name })}
          none={t('map.unused')}
          value={target}
          choices={choices}
          onChange={onTarget}
        />
        {hint === undefined ? null : (
          <Text textStyle="secondary" color="fg.muted" mt="1">
            {hint}
          </Text>
        )}
      </Box>
    </HStack>
  )
}

interface SwitchLineProps {
  readonly title: string
  readonly text: string
  readonly value: boolean
  onChange(value: boolean): void
}

const SwitchLine = ({ title, text, value, onChange }: SwitchLineProps) => {
  const id = useId()
  return (
    <HStack gap="3" align="start">
      <Box flex="1">
        <Text id={`${id}-label`} textStyle="dense">
          {title}
        </Text>
        <Text id={`${id}-text`} textStyle="secondary" color="fg.muted">
          {text}
        </Text>
      </Box>
      <SwitchControl id={id} describedBy={`${id}-text`} value={value} onChange={onChange} />
    </HStack>
  )
}

/** Columns that go nowhere. */
const Unused = ({ names }: { readonly names: readonly string[] }) => {
  const { t } = useTranslation('contact')
  if (names.length === 0) return null
  return (
    <HStack
      gap="2.5"
      px="4"
      py="2.5"
      align="start"
      bg="warning.subtle"
      color="warning.fg"
      borderYWidth="1px"
      borderColor="warning.muted"
      textStyle="secondary"
    >
      <EyeOff size={15} aria-hidden="true" style={{ flex: 'none', marginTop: 1 }} />
      <Text overflowWrap="anywhere">{t('map.left', { count: names.length, names: names.join(', ') })}</Text>
    </HStack>
  )
}

const Options = ({ taking, onTake, onHeader }: Pick<PanelProps, 'taking' | 'onTake' | 'onHeader'>) => {
  const { t, i18n } = useTranslation('contact')
  const { country, header, partial } = taking
  const regions = new Intl.DisplayNames([i18n.language], { type: 'region' })
  return (
    <Box display="grid" gap="3.5" px="4" py="3.5">
      <SwitchLine title={t('map.header')} text={t('map.headertext')} value={header} onChange={onHeader} />
      <SwitchLine
        title={t('map.partial')}
        text={t('map.partialtext')}
        value={partial}
        onChange={value => onTake({ partial: value })}
      />
      <Field.Root>
        <Field.Label htmlFor="country">{t('map.country')}</Field.Label>
        <ChoiceControl
          id="country"
          chosen
          value={country}
          choices={COUNTRIES.map(value => ({ value, label: regions.of(value) ?? value }))}
          onChange={value => onTake({ country: value })}
        />
      </Field.Root>
    </Box>
  )
}

/** Meaning of each column, omitted columns, and import options. */
export const ColumnsPanel = ({ preview, taking, used, onTake, onHeader }: PanelProps) => {
  const { t } = useTranslation('contact')
  const { targets } = taking
  const [first] = preview.rows
  const nameOf = (place: number) => preview.columns[place]?.name || t('map.column', { number: place + 1 })
  const unused = targets.flatMap((target, place) => (target === '' ? [nameOf(place)] : []))
  const hintOf = (target: string) => {
    const variables = used.get(target)
    if (variables !== undefined) return variables.map(variable => `{{${variable}}}`).join(', ')
    return target === 'phone' ? t('map.asnumber') : undefined
  }
  const setTarget = (place: number, target: string) =>
    onTake({ targets: targets.map((one, at) => (at === place ? target : one === target ? '' : one)) })
  return (
    <chakra.section aria-labelledby="columns" borderWidth="1px" borderRadius="lg" bg="bg.surface" overflow="hidden">
      <HStack px="4" pt="3" pb="2" justify="space-between">
        <Text as="h2" id="columns" textStyle="card">
          {t('map.columns')}
        </Text>
        <Text textStyle="secondary" color="fg.muted">
          {t('map.linked', { count: targets.length - unused.length, total: targets.length })}
        </Text>
      </HStack>
      <Box as="ul" listStyleType="none">
        {targets.map((target, place) => (
          <Column
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place in the file
            key={place}
            name={nameOf(place)}
            sample={first?.cells[place] ?? ''}
            target={target}
            hint={hintOf(target)}
            onTarget={next => setTarget(place, next)}
          />
        ))}
      </Box>
      <Unused names={unused} />
      <Options taking={taking} onTake={onTake} onHeader={onHeader} />
    </chakra.section>
  )
}
