import { Box, chakra, Grid, SimpleGrid, Text } from '@chakra-ui/react'
import { ChevronDown } from 'lucide-react'
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { hiddenFields } from '#domain/field/stored-items.ts'
import { idleFields } from '#schemas/channel-type.ts'
import type { EntityDeclaration, FormSection } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { LocalizedFieldProblem } from '#web/api/failure.ts'
import { ErrorLine } from '#web/components/error-state.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import type { HistoryItem } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { FormOwnerContext } from '#web/form/control/control-props.ts'
import { type FormValues, fieldOfPath, recordValues } from '#web/form/form-value.ts'
import { lazyPart } from '#web/lazy-module.ts'
import { EntityField } from './entity-field.tsx'
import type { SectionControlProps, SectionPreviewProps } from './section-control-props.ts'

type PreviewName = NonNullable<FormSection['preview'] | EntityDeclaration['preview']>
type ControlName = NonNullable<FormSection['control']>

/** Controls that a declaration names for a section, each loaded with the first form that has it. */
const SECTION_CONTROLS: Readonly<Record<ControlName, ComponentType<SectionControlProps>>> = {
  'compose-file': lazyPart(async () => (await import('./compose-control.tsx')).ComposeControl),
  'test-file': lazyPart(async () => (await import('./test-file-control.tsx')).TestFileControl),
  'permission-matrix': lazyPart(async () => (await import('./permission/permission-matrix.tsx')).PermissionMatrix),
}

/** Previews that a declaration names for a section. They read the values, and may propose another one. */
const SECTION_PREVIEWS: Readonly<Record<PreviewName, ComponentType<SectionPreviewProps>>> = {
  'chat-interface': lazyPart(async () => (await import('./chat-preview.tsx')).ChatPreview),
  template: lazyPart(async () => (await import('./template/template-preview.tsx')).TemplatePreview),
  'price-paste': lazyPart(async () => (await import('./price-paste.tsx')).PricePaste),
  'story-check': lazyPart(async () => (await import('./story-check.tsx')).StoryCheck),
  'chat-theme': lazyPart(async () => (await import('./theme-preview.tsx')).ThemePreview),
}

interface FormPart {
  readonly id: string | undefined
  readonly form: UseFormReturn<FormValues>
  readonly readOnly: boolean
}

/** A control for all fields of a section. Its own component: it alone is rendered again while it loads. */
const SectionControl = ({ id, control, form, readOnly }: FormPart & { readonly control: ControlName }) => {
  const Control = SECTION_CONTROLS[control]
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Control
        id={id}
        values={form.watch()}
        saved={form.formState.defaultValues ?? {}}
        readOnly={readOnly}
        onChange={(field, value) => form.setValue(field, value, { shouldDirty: true })}
      />
    </Suspense>
  )
}

/** Live preview of a section's fields. */
const SectionPreview = ({
  preview,
  entity,
  id,
  form,
  readOnly,
}: FormPart & { readonly entity: EntityDeclaration; readonly preview: PreviewName }) => {
  const Preview = SECTION_PREVIEWS[preview]
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Preview
        entity={entity}
        id={id}
        values={form.watch()}
        readOnly={readOnly}
        onChange={(field, value) => form.setValue(field, value, { shouldDirty: true })}
      />
    </Suspense>
  )
}

interface BesideProps extends Omit<Parameters<typeof SectionPreview>[0], 'children'> {
  readonly children: ReactNode
  /** The preview has the room, and the fields a column. */
  readonly isWide?: boolean
}

/** The fields of a section, beside what comes of them where there is room. */
const SectionWithPreview = ({ children, isWide = false, ...props }: BesideProps) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: isWide ? '424px minmax(0, 1fr)' : 'minmax(0, 1fr) 372px' }}
    gap="6"
    alignItems="start"
  >
    {children}
    <SectionPreview {...props} />
  </Grid>
)

interface Props {
  readonly entity: EntityDeclaration
  /** Of the thing; absent while it is created. */
  readonly id?: string
  readonly form: UseFormReturn<FormValues>
  readonly creating: boolean
  readonly readOnly: boolean
  readonly dirty: readonly string[]
  readonly errors: readonly LocalizedFieldProblem[]
  readonly failure: string | undefined
  /** Counts refused saves: each one moves the focus to the first fault. */
  readonly refusals: number
  /** Fields another person changed too, with both values. */
  readonly conflicts: readonly LocalizedFieldProblem[]
  readonly meanwhile: Readonly<Record<string, string>>
  /** The change whose fields are marked. */
  readonly chosen: HistoryItem | undefined
  /** Fields that the address already answers. */
  readonly hidden: ReadonlySet<string>
  /** Whether a field is fixed in the present state of the thing. */
  readonly isFixed?: ((field: string) => boolean) | undefined
  readonly onHistory: ((field: string) => void) | undefined
  readonly onLeave: (field: string) => void
}

/** Controls of a field's value, as against the buttons for its history. */
const CONTROL = ':is(input, textarea, select, [contenteditable=true], [role=combobox], [role=switch])'

const focusIn = (box: Element | null | undefined) => {
  box?.scrollIntoView({ block: 'center' })
  const control =
    box?.querySelector<HTMLElement>(CONTROL) ?? box?.querySelector<HTMLElement>('button:not(.field-history)')
  control?.focus()
}

/** Focuses the control at a dotted path: that of an item's field where there is one. */
const focusPath = (path: string) => {
  const box = document.querySelector(`[data-field="${CSS.escape(fieldOfPath(path))}"]`)
  const inner = path.slice(fieldOfPath(path).length + 1)
  focusIn(inner === '' ? box : (box?.querySelector(`[data-member="${CSS.escape(inner)}"]`) ?? box))
}

/** A required reference that was not chosen. */
const isUnchosen = (field: Field | undefined, { code }: LocalizedFieldProblem) =>
  field?.kind === 'reference' && field.rule === undefined && code === 'required'

const ErrorSummary = ({ entity, form, errors, failure }: Pick<Props, 'entity' | 'form' | 'errors' | 'failure'>) => {
  const label = useLabel()
  const { t } = useTranslation('shell')
  if (failure === undefined) return null
  return (
    <Box mb="4">
      <ErrorLine text={failure}>
        {errors.length > 0 ? (
          <chakra.ul mt="1" listStyleType="none" textStyle="dense">
            {errors.map(error => (
              <li key={error.path}>
                <chakra.button
                  type="button"
                  color="danger.fg"
                  textDecoration="underline"
                  cursor="pointer"
                  textAlign="start"
                  onClick={() => focusPath(error.path)}
                >
                  {label.path(entity.name, error.path, String(form.getValues('type') ?? ''))}:{' '}
                  {isUnchosen(entity.fields[fieldOfPath(error.path)], error)
                    ? t('form.unchosen')
                    : (error.message ?? error.code)}
                </chakra.button>
              </li>
            ))}
          </chakra.ul>
        ) : null}
      </ErrorLine>
    </Box>
  )
}

/** Focuses the first field of a new form; not on touch screens, where the keyboard would cover it. */
const useFirstFocus = (root: RefObject<HTMLFormElement | null>, creating: boolean) =>
  useEffect(() => {
    if (creating && matchMedia('(pointer: fine)').matches)
      root.current?.querySelector<HTMLElement>('[data-field] :is(input, textarea, select)')?.focus()
  }, [root, creating])

/** Focuses the first faulty field, in the form's order, when a save was refused. */
const useFaultFocus = (
  root: RefObject<HTMLFormElement | null>,
  refusals: number,
  errors: readonly LocalizedFieldProblem[],
) => {
  const latest = useRef(errors)
  latest.current = errors
  useEffect(() => {
    if (refusals === 0) return
    const faulty = new Set(latest.current.map(({ path }) => fieldOfPath(path)))
    const boxes = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const first = boxes.find(({ dataset }) => faulty.has(dataset.field ?? ''))?.dataset.field
    const fault = latest.current.find(({ path }) => fieldOfPath(path) === first)
    if (fault !== undefined) focusPath(fault.path)
  }, [root, refusals])
}

interface FrameProps {
  readonly title: string
  readonly purpose: string | undefined
  readonly isFirst: boolean
  /** Sections are collapsible because a preview of all sections is beside them. */
  readonly isFolding: boolean
  /** It has what was changed or is refused: it is open. */
  readonly isMarked: boolean
  readonly children: ReactNode
}

const SectionFrame = ({ title, purpose, isFirst, isFolding, isMarked, children }: FrameProps) => {
  const head = (
    <Box flex="1">
      <Text as="h2" textStyle="card">
        {title}
      </Text>
      <Text textStyle="secondary" color="fg.muted">
        {purpose}
      </Text>
    </Box>
  )
  const [isOpen, setOpen] = useState(true)
  if (!isFolding)
    return (
      <chakra.section pt={isFirst ? '0' : '5'} pb="6" borderTopWidth={isFirst ? '0' : '1px'}>
        <Box mb="3">{head}</Box>
        {children}
      </chakra.section>
    )
  return (
    <chakra.details
      open={isOpen || isMarked}
      borderTopWidth={isFirst ? '0' : '1px'}
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <chakra.summary display="flex" alignItems="center" gap="3" py="3" cursor="pointer" className="group">
        {head}
        <Box transform={isOpen || isMarked ? 'rotate(180deg)' : 'none'}>
          <ChevronDown size={16} aria-hidden="true" />
        </Box>
      </chakra.summary>
      <Box pb="6">{children}</Box>
    </chakra.details>
  )
}

interface SectionProps extends Props {
  readonly section: FormSection
  readonly isFirst: boolean
  readonly names: readonly string[]
}

const Section = ({ section, isFirst, names, ...props }: SectionProps) => {
  const { entity, form, dirty, errors, conflicts, meanwhile } = props
  const { t } = useTranslation('shell')
  const label = useLabel()
  const values = recordValues(entity, form.getValues())
  const faults = errors.map(error => ({
    path: error.path,
    message: isUnchosen(entity.fields[error.path], error) ? t('form.unchosen') : (error.message ?? error.code),
  }))
  // A preview beside another section widens the form, not the lines of this one.
  const isWide = section.preview !== undefined || entity.form.every(({ preview }) => preview === undefined)
  const fields = (
    <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="4" rowGap="4" {...(isWide ? {} : { maxW: '960px' })}>
      {names.map(name => {
        const field = entity.fields[name]
        return field === undefined ? null : (
          <EntityField
            {...props}
            key={name}
            name={name}
            field={field}
            values={values}
            readOnly={props.readOnly || props.isFixed?.(name) === true}
            dirty={dirty.includes(name)}
            faults={faults}
            conflict={conflicts.find(({ path }) => path === name)}
            changedBy={meanwhile[name]}
          />
        )
      })}
    </SimpleGrid>
  )
  const isMarked = names.some(name => dirty.includes(name) || faults.some(({ path }) => path.split('.')[0] === name))
  return (
    <SectionFrame
      title={label.section(entity.name, section.id)}
      purpose={label.sectionPurpose(entity.name, section.id)}
      isFirst={isFirst}
      isFolding={entity.preview !== undefined}
      isMarked={isMarked}
    >
      {section.control !== undefined ? (
        <SectionControl id={props.id} control={section.control} form={form} readOnly={props.readOnly} />
      ) : section.preview === undefined ? (
        fields
      ) : (
        <SectionWithPreview
          preview={section.preview}
          id={props.id}
          entity={entity}
          form={form}
          readOnly={props.readOnly}
        >
          {fields}
        </SectionWithPreview>
      )}
    </SectionFrame>
  )
}

/** The form that follows from a declaration: its sections, two columns where there is room. */
export const EntityForm = (props: Props) => {
  const { entity, id, form, creating, errors, failure, refusals, hidden } = props
  const owner = useMemo(() => ({ entity: entity.name, id }), [entity.name, id])
  const root = useRef<HTMLFormElement>(null)
  const values = form.watch()
  useFirstFocus(root, creating)
  useFaultFocus(root, refusals, errors)
  const idle = new Set(entity.name === 'channel' ? idleFields(recordValues(entity, values)) : [])
  const left = hiddenFields(entity.fields, recordValues(entity, values))
  const isDrawn = (name: string) =>
    !hidden.has(name) && !left.has(name) && !idle.has(name) && !(creating && entity.fields[name]?.readonly === true)
  const sections = entity.form.map(section => ({ section, names: section.fields.filter(isDrawn) }))
  const drawn = sections.map(({ section, names }, at) =>
    names.length === 0 ? null : (
      <Section {...props} key={section.id} section={section} isFirst={at === 0} names={names} />
    ),
  )
  const isWide = entity.form.some(({ control, preview }) => control !== undefined || preview !== undefined)
  return (
    <chakra.form
      ref={root}
      maxW={entity.preview === undefined ? (isWide ? '1280px' : '960px') : 'none'}
      noValidate
      onSubmit={event => event.preventDefault()}
      onKeyDown={event => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
    >
      <ErrorSummary entity={entity} form={form} errors={errors} failure={failure} />
      <FormOwnerContext value={owner}>
        {entity.preview === undefined ? (
          drawn
        ) : (
          <SectionWithPreview
            isWide={entity.preview === 'chat-interface'}
            preview={entity.preview}
            id={id}
            entity={entity}
            form={form}
            readOnly={props.readOnly}
          >
            <Box>{drawn}</Box>
          </SectionWithPreview>
        )}
      </FormOwnerContext>
    </chakra.form>
  )
}
