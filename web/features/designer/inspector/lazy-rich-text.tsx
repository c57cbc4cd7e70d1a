import type { ComponentProps } from 'react'
import { lazyModule, useLazyModule } from '#web/lazy-module.ts'
import { FieldLabel } from './field-group.tsx'
import type { RichText } from './rich-text.tsx'

/** The editor of rich texts is half of the designer's code, and no flow needs it to be shown. */
export const richText = lazyModule(async () => (await import('./rich-text.tsx')).RichText)

/** A rich text, to be typed in as soon as its editor is there. */
export const LazyRichText = (props: ComponentProps<typeof RichText>) => {
  const { value: Editor, error } = useLazyModule(richText)
  if (Editor !== undefined) return <Editor {...props} />
  return (
    <>
      <span className="pl-label-row">
        <FieldLabel {...props} />
      </span>
      <span data-pending />
      {error === undefined ? null : props.written}
    </>
  )
}
