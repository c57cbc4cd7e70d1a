import type { Json } from '#schemas/event.ts'
import { accepted, refused } from '#schemas/refusal.ts'
import type { Behaviour } from './behaviour.ts'

export interface CloudFileFacts {
  readonly level: string
}

const MAX_NAME = 150
/** Letters, digits and marks of any script; everything else has a meaning in some address, shell or file system. */
const UNSAFE = /[^\p{L}\p{N}\p{M} ._()-]+/gu

/** A file name valid in an address; '' if no character is usable. */
const cleanFileName = (given: string): string => {
  const last = given.toWellFormed().normalize('NFKC').split(/[\\/]/).at(-1) ?? ''
  const cleaned = last.replace(UNSAFE, '-').replace(/^[ .-]+|[ -]+$/gu, '')
  if (cleaned.length <= MAX_NAME) return cleaned
  const extension = /\.\w{1,10}$/.exec(cleaned)?.[0] ?? ''
  return cleaned.slice(0, MAX_NAME - extension.length).toWellFormed() + extension
}

/** Path of a file below `/botadmin/files/`. */
export const fileAddress = (level: string, name: string): string =>
  `${encodeURIComponent(level)}/${encodeURIComponent(name)}`

const nameOf = (file: Json | undefined): string =>
  typeof file === 'object' && file !== null && 'name' in file && typeof file.name === 'string' ? file.name : ''

export const cloudFileBehaviour = {
  commands: {},
  onCreate(fields, { facts }) {
    const given = typeof fields.name === 'string' ? fields.name : nameOf(fields.file)
    const name = cleanFileName(given)
    if (name === '') return refused('validation.failed', { errors: [{ path: 'name', code: 'format' }] })
    return accepted({ ...fields, name, address: fileAddress(facts.level, name) })
  },
} satisfies Behaviour<CloudFileFacts>
