import { type RefObject, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { EntityDeclaration } from '#schemas/entity.ts'
import type { Row } from '#web/entity/entity-query.ts'
import { type FormValues, initialValues } from '#web/form/form-value.ts'

const FLASH_MS = 8000
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

interface Options {
  readonly entity: EntityDeclaration
  readonly row: Row | undefined
  readonly form: UseFormReturn<FormValues>
  /** Revision that the edits are based on. */
  readonly base: RefObject<number>
  /** Revisions that this form made. */
  readonly mine: RefObject<Set<number>>
}

/** Merges changes of others into the fields that are not edited here, and names who changed them for a few seconds. */
export const useMergedRow = ({ entity, row, form, base, mine }: Options) => {
  const [meanwhile, setMeanwhile] = useState<Readonly<Record<string, string>>>({})
  const known = useRef(row)
  const dirty = useRef<readonly string[]>([])
  dirty.current = Object.keys(form.formState.dirtyFields)
  useEffect(() => {
    const before = known.current
    if (row === undefined || before === undefined || row.revision <= before.revision) return
    known.current = row
    const others = mine.current.has(row.revision)
      ? []
      : Object.keys(entity.fields).filter(name => !same(row[name], before[name]) && !dirty.current.includes(name))
    form.reset(initialValues(entity, row), { keepDirtyValues: true })
    if (dirty.current.length === 0) base.current = row.revision
    if (others.length === 0) return
    setMeanwhile(Object.fromEntries(others.map(name => [name, row.modified_by ?? ''])))
    const timer = setTimeout(() => setMeanwhile({}), FLASH_MS)
    return () => clearTimeout(timer)
  }, [row, entity, form, base, mine])
  return { meanwhile, known }
}
