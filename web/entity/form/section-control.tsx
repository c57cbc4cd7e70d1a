import { Grid } from '@chakra-ui/react'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { EntityDeclaration, FormSection } from '#schemas/entity.ts'
import { RowsSkeleton } from '#web/components/page-skeleton.tsx'
import type { FormValues } from '#web/form/form-value.ts'
import type { SectionControlProps, SectionPreviewProps } from './section-control-props.ts'

type PreviewName = NonNullable<FormSection['preview'] | EntityDeclaration['preview']>
type ControlName = NonNullable<FormSection['control']>

/** Controls that a declaration names for a section, each loaded with the first form that has it. */
const SECTION_CONTROLS: Readonly<Record<ControlName, ComponentType<SectionControlProps>>> = {
  'compose-file': lazy(async () => ({ default: (await import('./compose-control.tsx')).ComposeControl })),
  'test-file': lazy(async () => ({ default: (await import('./test-file-control.tsx')).TestFileControl })),
  'permission-matrix': lazy(async () => ({
    default: (await import('./permission/permission-matrix.tsx')).PermissionMatrix,
  })),
}

/** Previews that a declaration names for a section. They read the values, and may propose another one. */
const SECTION_PREVIEWS: Readonly<Record<PreviewName, ComponentType<SectionPreviewProps>>> = {
  'chat-interface': lazy(async () => ({ default: (await import('./chat-preview.tsx')).ChatPreview })),
  template: lazy(async () => ({ default: (await import('./template/template-preview.tsx')).TemplatePreview })),
  'price-paste': lazy(async () => ({ default: (await import('./price-paste.tsx')).PricePaste })),
  'story-check': lazy(async () => ({ default: (await import('./story-check.tsx')).StoryCheck })),
  'chat-theme': lazy(async () => ({ default: (await import('./theme-preview.tsx')).ThemePreview })),
}

interface FormPart {
  readonly id: string | undefined
  readonly form: UseFormReturn<FormValues>
  readonly readOnly: boolean
}

/** A control for all fields of a section. Its own component: it alone is rendered again while it loads. */
export const SectionControl = ({ id, control, form, readOnly }: FormPart & { readonly control: ControlName }) => {
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
export const SectionWithPreview = ({ children, isWide = false, ...props }: BesideProps) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', xl: isWide ? '424px minmax(0, 1fr)' : 'minmax(0, 1fr) 372px' }}
    gap="6"
    alignItems="start"
  >
    {children}
    <SectionPreview {...props} />
  </Grid>
)
