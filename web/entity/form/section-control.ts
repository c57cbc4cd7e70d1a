import { type ComponentType, lazy } from 'react'
import type { EntityDeclaration, FormSection } from '#schemas/entity.ts'
import type { SectionControlProps, SectionPreviewProps } from './section-control-props.ts'

type SectionPreviewName = NonNullable<FormSection['preview'] | EntityDeclaration['preview']>
type SectionControlName = NonNullable<FormSection['control']>

/** Controls that a declaration names for a section, each loaded with the first form that has it. */
export const SECTION_CONTROLS: Readonly<Record<SectionControlName, ComponentType<SectionControlProps>>> = {
  'compose-file': lazy(async () => ({ default: (await import('./compose-control.tsx')).ComposeControl })),
  'test-file': lazy(async () => ({ default: (await import('./test-file-control.tsx')).TestFileControl })),
  'permission-matrix': lazy(async () => ({
    default: (await import('./permission/permission-matrix.tsx')).PermissionMatrix,
  })),
}

/** Previews that a declaration names for a section. They read the values, and may propose another one. */
export const SECTION_PREVIEWS: Readonly<Record<SectionPreviewName, ComponentType<SectionPreviewProps>>> = {
  'chat-interface': lazy(async () => ({ default: (await import('./chat-preview.tsx')).ChatPreview })),
  template: lazy(async () => ({ default: (await import('./template/template-preview.tsx')).TemplatePreview })),
  'story-check': lazy(async () => ({ default: (await import('./story-check.tsx')).StoryCheck })),
  'chat-theme': lazy(async () => ({ default: (await import('./theme-preview.tsx')).ThemePreview })),
}
