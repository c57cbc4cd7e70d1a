import { Box, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { offeredOptions } from '#domain/field/stored-items.ts'
import { languageOf } from '#domain/field/validate.ts'
import { entityOf, isEntityName } from '#schemas/entities/registry.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import { type ControlName, LARGE_CONTROLS, type LineControlName } from '#schemas/field/core.ts'
import type {
  CronField,
  EnumerationField,
  ExpressionField,
  Field,
  JsonField,
  LineField,
  LinesField,
  ListField,
  OfferedFrom,
  ReferenceField,
  StringsField,
  UrlField,
} from '#schemas/field/kind.ts'
import { isLanguage } from '#schemas/language.ts'
import { useSession } from '#web/api/session.ts'
import { AddressText } from '#web/components/address-text.tsx'
import { detailQuery, type Value } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { readAll } from '#web/entity/read-all.ts'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { type FieldFault, type FieldTexts, nestedFaults } from '../form-value.ts'
import { CheckboxGroup, ChoiceControl, SwitchControl, TilesControl } from './choice-control.tsx'
import { type CodeProps, type ControlProps, type FormOwner, FormOwnerContext } from './control-props.ts'
import { FileControl, ImageControl } from './file-control.tsx'
import { FormatControl } from './format-control.tsx'
import { lazyControl, plainFirst } from './lazy-control.tsx'
import {
  DurationControl,
  LineControl,
  NumberControl,
  SecretControl,
  TextControl,
  TimeControl,
} from './line-control.tsx'
import { ListControl } from './list-control.tsx'
import { MarkdownControl } from './markdown-control.tsx'
import { MemberField, MembersControl } from './members-control.tsx'
import { OpeningControl } from './opening-control.tsx'
import { ColorControl, PaletteControl } from './palette-control.tsx'
import { PicturesControl } from './pictures-control.tsx'
import { ReferencePicker, ReferencesPicker } from './reference-picker.tsx'
import { ReturnTargetsControl } from './return-targets-control.tsx'
import { StringsControl } from './strings-control.tsx'

interface ReferenceProps extends ControlProps<Value | undefined, Value> {
  readonly field: ReferenceField
  /** Values of the form that are text, by field: a parent among them narrows the choice to its own. */
  readonly within: Readonly<Record<string, string>>
}

/** The form's row if it is the reference's parent. */
const parentOwner = (owner: FormOwner | undefined, to: string) => {
  const target: EntityDeclaration | undefined = isEntityName(to) ? entityOf(to) : undefined
  return owner !== undefined && target !== undefined && parentField(target) === owner.entity ? owner : undefined
}

/** Children can be selected only after the parent exists. */
const ChosenLater = ({ id, to }: { readonly id: string; readonly to: string }) => {
  const { t } = useTranslation('shell')
  const label = useLabel()
  return (
    <Text id={id} color="fg.muted" textStyle="dense" py="1.5">
      {t('form.chosenlater', { things: inSentence(label.plural(to)) })}
    </Text>
  )
}

/** One thing of an entity, or several. */
const ReferenceControl = ({ field, value, onChange, within, ...props }: ReferenceProps) => {
  const form = useContext(FormOwnerContext)
  const owner = parentOwner(form, field.to)
  if (owner !== undefined && owner.id === undefined) return <ChosenLater id={props.id} to={field.to} />
  const common = {
    id: props.id,
    to: field.to,
    within: owner?.id === undefined ? within : { ...within, [owner.entity]: owner.id },
    self: form?.entity === field.to ? form.id : undefined,
    disabled: props.disabled === true || props.readOnly === true,
    invalid: props.invalid === true,
  }
  return field.kind === 'references' ? (
    <ReferencesPicker {...common} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />
  ) : (
    <ReferencePicker
      {...common}
      required={field.required}
      value={typeof value === 'string' ? value : null}
      onChange={onChange}
    />
  )
}

const RUNS = 2

const cron = lazyModule(async () => ({
  ...(await import('#domain/cron/describe-cron.ts')),
  ...(await import('#domain/cron/next-runs.ts')),
}))

interface CronProps extends ControlProps<string> {
  /** IANA time zone of the expression. */
  readonly zone: string
}

const timesOf = (runs: readonly Date[], language: string, timeZone: string): string => {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short', timeZone })
  return runs.map(run => format.format(run)).join(' · ')
}

/** A cron expression, in words and with its next runs below. */
const CronControl = ({ zone, ...props }: CronProps) => {
  const { t, i18n } = useTranslation('shell')
  const { value: module } = useLazyModule(cron)
  const language = isLanguage(i18n.language) ? i18n.language : 'en'
  const runs = props.value === '' ? undefined : module?.nextRuns(props.value, Date.now(), zone, RUNS)
  const words = runs?.ok === true ? module?.describeCron(props.value, language) : undefined
  return (
    <Box w="100%">
      <LineControl {...props} monospace placeholder="0 9 * * 1-5" />
      {runs?.ok === true ? (
        <Text mt="1" textStyle="secondary" color="fg.muted" aria-live="polite">
          {words}
          {words === undefined ? '' : '. '}
          {t('form.nextruns', { times: timesOf(runs.value, language, zone), zone })}
        </Text>
      ) : null}
    </Box>
  )
}

const NOTHING: readonly string[] = []

const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const idsIn = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : []).flatMap(item =>
    typeof item === 'object' && item !== null && !Array.isArray(item) && typeof item.id === 'string' ? [item.id] : [],
  )

/** The id of what the references lead to; a reference is named after the entity that it points at. */
const useLastId = (through: readonly string[], values: JsonObject): string | undefined => {
  const [first = '', second] = through
  const { can } = useSession()
  const id = idOf(values[first])
  const isFollowed = second !== undefined && id !== undefined && can(`read${first}`)
  const next = useQuery({ ...detailQuery(first, id ?? ''), enabled: isFollowed }).data
  return second === undefined ? id : idOf(next?.[second])
}

/** Options of a field from other rows; empty while loading or without read access. */
const useOffered = (offered: OfferedFrom | undefined, values: JsonObject): readonly string[] => {
  const { can } = useSession()
  const { through = [], things, list } = offered ?? {}
  const at = through.at(-1) ?? ''
  const id = useLastId(through, values)
  const titles = useQuery({
    queryKey: [things ?? '', 'offered', { [at]: id }],
    queryFn: async ({ signal }) => {
      const { items } = await readAll(things ?? '', { [at]: id ?? '' }, signal)
      return items.map(item => String(item.name ?? '')).sort()
    },
    enabled: things !== undefined && id !== undefined && can(`read${things}`),
    staleTime: 30_000,
  })
  const isListed = list !== undefined && id !== undefined && can(`read${at}`)
  const owner = useQuery({ ...detailQuery(at, id ?? ''), enabled: isListed }).data
  if (things !== undefined) return titles.data ?? NOTHING
  return list === undefined ? NOTHING : idsIn(owner?.[list])
}

/** Text of the empty choice: to be chosen, or none. */
const useNoneText = (required: boolean): string => {
  const { t } = useTranslation('shell')
  return t(required ? 'form.choose' : 'form.none')
}

/** An editor with colours and checks. Until it is loaded, and where it cannot be, a plain one. */
const CodeControl = plainFirst(
  async () => (await import('./code-editor.tsx')).CodeEditor,
  (props: CodeProps) => <TextControl {...props} monospace={props.expression !== 'text'} />,
)
const VariablesControl = plainFirst(
  async () => (await import('./template-controls.tsx')).VariablesControl,
  ({ format: _format, ...props }) => <TextControl {...props} />,
)

const jsonText = (props: CodeProps) => <TextControl {...props} monospace />
const ProfileControl = lazyControl(
  async () => (await import('./agent-profile-control.tsx')).AgentProfileControl,
  '40',
  jsonText,
)
const RuleControl = lazyControl(
  async () => (await import('./segment-rule-control.tsx')).SegmentRuleControl,
  '40',
  jsonText,
)
const ExamplesControl = lazyControl(async () => (await import('./template-controls.tsx')).ExamplesControl, '9')
const CardTab = lazyControl(async () => (await import('./template-controls.tsx')).CardTab, '9')

export interface FieldControlProps extends ControlProps<Value | undefined, Value> {
  readonly field: Field
  readonly texts: FieldTexts
  /** Whether the value is hidden now: it is only known to be set. */
  readonly secret: boolean
  /** Values of the form, or of the item, that the field belongs to. */
  readonly values: JsonObject
  /** Faults inside the value, of items of a list. */
  readonly faults: readonly FieldFault[]
  readonly onCleared: (labels: readonly string[]) => void
}

type Of<F extends Field> = Omit<FieldControlProps, 'field'> & { readonly field: F }

const textOf = (value: Value | undefined): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value, null, 2)
      : String(value)

const TYPES = { email: 'email', phone: 'tel', url: 'url', string: 'text' } as const

const isLineControl = (control: ControlName): control is LineControlName =>
  !LARGE_CONTROLS.some(name => name === control)

const Line = ({ field, value, ...props }: Of<LineField | UrlField>) => {
  const { control = undefined, max } = field
  const common = { ...props, value: textOf(value) }
  if (control !== undefined && isLineControl(control)) {
    const { country } = props.values
    return <FormatControl {...common} format={control} country={typeof country === 'string' ? country : ''} />
  }
  if (field.kind === 'string' && field.addressPath !== undefined && props.readOnly === true)
    return <AddressText id={props.id} path={field.addressPath} value={textOf(value)} />
  if (field.kind === 'string' && field.isUtc === true && props.readOnly === true)
    return <TimeControl {...props} value={value === '' || value === null ? null : `${textOf(value)}Z`} />
  const words = offeredOptions(field, props.values)
  if (words !== undefined)
    return <ChoiceControl {...common} choices={words.map(word => ({ value: word, label: word }))} />
  const offered = field.kind === 'url' ? undefined : field.offered
  if (field.kind !== 'url' && field.offeredFrom !== undefined)
    return <OfferedLine {...common} from={field.offeredFrom} max={max} />
  return <LineControl {...common} type={TYPES[field.kind]} max={max} offered={offered} />
}

interface OfferedLineProps extends ControlProps<string> {
  readonly from: OfferedFrom
  readonly values: JsonObject
  readonly max: number
}

const OfferedLine = ({ from, values, ...props }: OfferedLineProps) => (
  <LineControl {...props} offered={useOffered(from, values)} />
)

const Enumeration = ({ field, value, onChange, values, texts, ...props }: Of<EnumerationField>) => {
  // The server replaces none by the initial value.
  const isAlwaysSet = field.required || field.initial !== null
  const none = useNoneText(isAlwaysSet)
  const choices = (offeredOptions(field, values) ?? field.options).map(option => ({
    value: option,
    label: texts.option(option),
  }))
  const text = textOf(value)
  if (field.tiles === true && props.readOnly !== true)
    return <TilesControl {...props} value={text} choices={choices} onChange={onChange} />
  return (
    <ChoiceControl
      {...props}
      value={text}
      choices={choices}
      none={none}
      chosen={isAlwaysSet && choices.some(choice => choice.value === text)}
      onChange={next => onChange(next === '' ? null : next)}
    />
  )
}

const ROWS: Readonly<Record<LinesField['kind'] | 'json' | 'expression', number>> = {
  text: 2,
  markdown: 8,
  code: 12,
  json: 10,
  expression: 2,
}

const Lines = ({ field, value, ...props }: Of<LinesField | ExpressionField | JsonField>) => {
  const rows = props.density === 'compact' ? Math.min(4, ROWS[field.kind]) : ROWS[field.kind]
  const common = { ...props, value: textOf(value), rows, max: field.max }
  switch (field.kind) {
    case 'code':
      return <CodeControl {...common} language={field.language} />
    case 'json':
      if (field.control === 'agentprofile') return <ProfileControl {...common} type={String(props.values.type)} />
      if (field.control === 'segmentrule') return <RuleControl {...common} />
      return <CodeControl {...common} language="json" />
    case 'expression':
      return <CodeControl {...common} expression={languageOf(field, props.values)} />
    case 'markdown':
      return <MarkdownControl {...common} />
    default:
      return field.control === 'variables' ? (
        <VariablesControl {...common} format={String(props.values.parameter_format)} />
      ) : (
        <TextControl {...common} />
      )
  }
}

const zoneOf = ({ zone }: CronField, values: JsonObject): string => {
  if (typeof zone === 'string') return zone
  const named = values[zone.field]
  return typeof named === 'string' && named !== '' ? named : 'UTC'
}

const objectList = (value: Value | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : []

const List = ({ field, value, texts, faults, onCleared, ...props }: Of<ListField>) => {
  const onChange = (next: readonly JsonObject[]) => props.onChange(next as readonly Value[])
  if (field.control === 'opening') return <OpeningControl {...props} value={objectList(value)} onChange={onChange} />
  if (field.control === 'members') return <MembersControl {...props} value={objectList(value)} onChange={onChange} />
  if (field.control === 'returntargets')
    return <ReturnTargetsControl {...props} value={objectList(value)} onChange={onChange} />
  if (field.control === 'examples')
    return <ExamplesControl {...props} text={textOf(props.values.body)} value={objectList(value)} onChange={onChange} />
  return (
    <ListControl
      {...props}
      field={field}
      value={objectList(value)}
      onChange={onChange}
      onCleared={names => onCleared(names.map(name => texts.member(name).label))}
      titleOption={texts.member(field.itemTitle).option}
      {...(field.control === 'cards'
        ? {
            faultAt: faults.map(({ path }) => Number(path.split('.')[0])).find(Number.isInteger),
            renderTab: (card, place) => <CardTab card={card} place={place} values={props.values} />,
          }
        : {})}
      renderMember={({ name, field: member, item, path, onChange }) => (
        <MemberField
          name={path}
          field={member}
          value={item[name]}
          texts={texts.member(name)}
          error={faults.find(fault => fault.path === path)?.message ?? nestedFaults(faults, path)[0]?.message}
        >
          {state => (
            <FieldControl
              {...state}
              density="compact"
              field={member}
              texts={texts.member(name)}
              value={item[name] as Value | undefined}
              onChange={onChange}
              readOnly={props.readOnly === true}
              disabled={props.disabled === true}
              secret={member.secret}
              // Variables are of the same kind in the whole template.
              values={member.control === 'variables' ? { ...props.values, ...item } : item}
              faults={[]}
              onCleared={onCleared}
            />
          )}
        </MemberField>
      )}
    />
  )
}

const stringsOf = (value: Value | undefined): readonly string[] => (Array.isArray(value) ? value.map(String) : [])

const numberOf = (value: Value | undefined): number | string | null =>
  typeof value === 'number' || typeof value === 'string' ? value : null

const withinOf = (values: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )

interface OfferedStringsProps extends ControlProps<readonly string[]> {
  readonly from: OfferedFrom | undefined
  readonly values: JsonObject
  readonly max: number
}

const OfferedStrings = ({ from, values, ...props }: OfferedStringsProps) => (
  <StringsControl {...props} offered={useOffered(from, values)} />
)

const Strings = ({ field, texts, ...props }: Of<StringsField>) => {
  const value = stringsOf(props.value)
  if (field.options !== undefined) {
    const choices = field.options.map(option => ({ value: option, label: texts.option(option) }))
    return <CheckboxGroup {...props} value={value} choices={choices} />
  }
  const { max, maxItems } = field
  return field.control === 'pictures' ? (
    <PicturesControl {...props} value={value} max={max} maxItems={maxItems} />
  ) : (
    <OfferedStrings {...props} value={value} max={max} from={field.offeredFrom} />
  )
}

/** The control of a field's kind. */
export const FieldControl = (props: FieldControlProps) => {
  const { field, value, onChange, values } = props
  if (props.secret || field.kind === 'password') return <SecretControl {...props} lines={field.kind === 'text'} />
  switch (field.kind) {
    case 'boolean':
      return <SwitchControl {...props} value={value === true} />
    case 'enumeration':
      return <Enumeration {...props} field={field} />
    case 'reference':
    case 'references':
      return <ReferenceControl {...props} field={field} within={withinOf(values)} />
    case 'strings':
      return <Strings {...props} field={field} />
    case 'integer':
    case 'number':
      return (
        <NumberControl
          {...props}
          value={numberOf(value)}
          unit={field.unit}
          whole={field.kind === 'integer'}
          nullable
          onUnreadable={onChange}
        />
      )
    case 'duration':
      return <DurationControl {...props} value={numberOf(value)} unit={field.unit} onUnreadable={onChange} />
    case 'text':
    case 'expression':
    case 'markdown':
    case 'code':
    case 'json':
      return <Lines {...props} field={field} />
    case 'time':
      return <TimeControl {...props} value={typeof value === 'string' ? value : null} />
    case 'email':
    case 'string':
    case 'url':
    case 'phone':
      return <Line {...props} field={field} />
    case 'color':
      return <ColorControl {...props} value={textOf(value)} />
    case 'palette':
      return <PaletteControl {...props} field={field} />
    case 'cron':
      return <CronControl {...props} value={textOf(value)} zone={zoneOf(field, values)} />
    case 'file':
      return <FileControl {...props} field={field} />
    case 'image':
      return <ImageControl {...props} field={field} />
    case 'list':
      return <List {...props} field={field} />
    default:
      return field satisfies never
  }
}
