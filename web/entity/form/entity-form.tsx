import { Box, chakra, SimpleGrid, Text } from '@chakra-ui/react'
import { Suspense, useEffect, useRef } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { EntityDeclaration, FormSection } from '#schemas/entity.ts'
import type { Field } from '#schemas/field/kind.ts'
import type { ToldError } from '#web/api/problem.ts'
import { ErrorLine } from '#web/components/error-line.tsx'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import type { HistoryItem, Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import { FormField } from './form-field.tsx'
import { type FormValues, isSecret } from './form-value.ts'
import { SECTION_CONTROLS } from './section-control.ts'

type ControlName = NonNullable<FormSection['control']>

interface Props {
  readonly entity: EntityDeclaration
  readonly form: UseFormReturn<FormValues>
  readonly creating: boolean
  readonly readOnly: boolean
  readonly dirty: readonly string[]
  readonly errors: readonly ToldError[]
  readonly failure: string | undefined
  readonly meanwhile: Readonly<Record<string, string>>
  /** The change whose fields are marked. */
  readonly chosen: HistoryItem | undefined
  /** Fields that the address already answers. */
  readonly hidden: ReadonlySet<string>
  readonly onHistory: ((field: string) => void) | undefined
}

const nameOf = (path: string) => path.split('.')[0] ?? ''

/** What one types or chooses in, not what tells of the field's past. */
const CONTROL = ':is(input, textarea, select, [contenteditable=true], [role=combobox])'

const focusIn = (box: Element | null | undefined) => {
  box?.scrollIntoView({ block: 'center' })
  const control =
    box?.querySelector<HTMLElement>(CONTROL) ?? box?.querySelector<HTMLElement>('button:not(.field-history)')
  control?.focus()
}

const focusField = (path: string) => focusIn(document.querySelector(`[data-field="${CSS.escape(nameOf(path))}"]`))

/** A list of which nothing was chosen. */
const isUnchosen = (field: Field | undefined, { code }: ToldError) => field?.kind === 'reference' && code === 'required'

const ErrorSummary = ({ entity, errors, failure }: Pick<Props, 'entity' | 'errors' | 'failure'>) => {
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
                  onClick={() => focusField(error.path)}
                >
                  {label.field(entity.name, error.path)}:{' '}
                  {isUnchosen(entity.fields[nameOf(error.path)], error)
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

const wordOf = (value: unknown, empty: string): string =>
  value === null || value === undefined || value === '' ? empty : typeof value === 'object' ? '…' : String(value)

/** A control for all fields of a section. Its own component: it alone is rendered again while it loads. */
const SectionControl = ({ control, form, readOnly }: Pick<Props, 'form' | 'readOnly'> & { control: ControlName }) => {
  const Control = SECTION_CONTROLS[control]
  return (
    <Suspense fallback={<RowsSkeleton />}>
      <Control
        values={form.watch()}
        readOnly={readOnly}
        onChange={(field, value) => form.setValue(field, value, { shouldDirty: true })}
      />
    </Suspense>
  )
}

/** The form that follows from a declaration: its sections, two columns where there is room. */
export const EntityForm = (props: Props) => {
  const { entity, form, creating, readOnly, dirty, errors, failure, meanwhile, chosen, hidden, onHistory } = props
  const { t } = useTranslation(['history', 'shell'])
  const label = useLabel()
  const values = form.watch()
  const root = useRef<HTMLFormElement>(null)
  // Whoever makes something types at once; on a touch screen the keyboard would cover the form.
  useEffect(() => {
    if (creating && matchMedia('(pointer: fine)').matches)
      root.current?.querySelector<HTMLElement>('[data-field] :is(input, textarea, select)')?.focus()
  }, [creating])
  // What was refused is mended at once: the first fault has the keyboard.
  useEffect(() => {
    const faulty = new Set(errors.map(({ path }) => nameOf(path)))
    const boxes = [...(root.current?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
    const first = boxes.find(({ dataset }) => faulty.has(dataset.field ?? ''))
    if (first !== undefined) focusIn(first)
  }, [errors])
  const within = Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  return (
    <chakra.form
      ref={root}
      maxW={entity.form.some(({ control }) => control !== undefined) ? '1280px' : '960px'}
      noValidate
      onSubmit={event => event.preventDefault()}
      onKeyDown={event => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
      }}
    >
      <ErrorSummary entity={entity} errors={errors} failure={failure} />
      {entity.form.map((section, at) => {
        const names = section.fields.filter(name => !hidden.has(name) && !(creating && entity.fields[name]?.readonly))
        if (names.length === 0) return null
        return (
          <chakra.section key={section.id} pt={at === 0 ? '0' : '5'} pb="6" borderTopWidth={at === 0 ? '0' : '1px'}>
            <Text as="h2" textStyle="card">
              {label.section(entity.name, section.id)}
            </Text>
            <Text textStyle="secondary" color="fg.muted" mb="3">
              {label.sectionPurpose(entity.name, section.id)}
            </Text>
            {section.control === undefined ? (
              <SimpleGrid columns={{ base: 1, lg: 2 }} columnGap="4" rowGap="4">
                {names.map(name => {
                  const field = entity.fields[name]
                  if (field === undefined) return null
                  const fault = errors.find(({ path }) => nameOf(path) === name)
                  const change = chosen?.changes.find(one => one.path.split('.')[0] === name)
                  return (
                    <Controller
                      key={name}
                      control={form.control}
                      name={name}
                      render={({ field: control }) => (
                        <FormField
                          entity={entity.name}
                          name={name}
                          field={field}
                          value={control.value as Value | undefined}
                          secret={isSecret(field, values)}
                          readOnly={readOnly || field.readonly || (field.fixed && !creating)}
                          within={within}
                          onChange={control.onChange}
                          error={fault && (isUnchosen(field, fault) ? t('shell:form.unchosen') : fault.message)}
                          dirty={!creating && dirty.includes(name)}
                          was={
                            change === undefined
                              ? undefined
                              : change.secret
                                ? t('history:secret')
                                : wordOf(change.before, t('history:empty'))
                          }
                          changedBy={meanwhile[name]}
                          onHistory={onHistory && !creating ? () => onHistory(name) : undefined}
                        />
                      )}
                    />
                  )
                })}
              </SimpleGrid>
            ) : (
              <SectionControl control={section.control} form={form} readOnly={readOnly} />
            )}
          </chakra.section>
        )
      })}
    </chakra.form>
  )
}
