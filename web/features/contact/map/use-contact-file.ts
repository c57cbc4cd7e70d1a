import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { contactText } from '#domain/audience/contact-columns.ts'
import { readCsv } from '#domain/audience/file/read-csv.ts'
import type { PhoneReader } from '#domain/audience/phone.ts'
import type { AnswerOf } from '#schemas/api/routes.ts'
import { MAX_FILE_BYTES } from '#schemas/field/file-type.ts'
import { failureOf, isProblem } from '#web/api/failure.ts'
import { http } from '#web/api/http.ts'
import { useDebouncedValue } from '#web/timer.ts'
import type { ContactHolder } from '../holder.ts'
import { type Sheet, sheetText } from './sheet.ts'

export type Preview = AnswerOf<'POST /campaign/{id}/contacts/preview'>
type DryRun = AnswerOf<'POST /campaign/{id}/contacts/import'>
export type UploadFault = DryRun['faults'][number]

/** Target field of each column; '' if unused. */
type Targets = readonly string[]

/** A file that could be read. */
interface ContactFile {
  readonly file: File
  readonly sheet: Sheet
  readonly preview: Preview
  /** Counts the mends. */
  readonly version: number
}

/** Import options: columns by hand, or a profile's rules. */
export interface UploadMapping {
  readonly targets: Targets
  readonly header: boolean
  readonly country: string
  readonly partial: boolean
  readonly profile: string
}

const IMPORT = { campaign: '/campaign/{id}/contacts/import', list: '/contactlist/{id}/contacts/import' } as const
const PREVIEW = { campaign: '/campaign/{id}/contacts/preview', list: '/contactlist/{id}/contacts/preview' } as const
const CHANGE_PAUSE_MS = 300
/** Characters of the name of a column that are kept. */
const MAX_NAME = 100

const targetsOf = ({ columns, mapping }: Preview): Targets => {
  const byPlace = new Map(Object.entries(mapping.columns).map(([target, place]) => [place, target]))
  return columns.map((_, place) => byPlace.get(place) ?? '')
}

const mappingText = ({ targets, header, country }: UploadMapping, { columns: named }: Preview): string => {
  const columns = Object.fromEntries(targets.flatMap((target, place) => (target === '' ? [] : [[target, place]])))
  const names = Object.fromEntries(
    targets.flatMap((target, place) => {
      const name = named[place]?.name.slice(0, MAX_NAME) ?? ''
      return !target.startsWith('field') || name === '' ? [] : [[target, name]]
    }),
  )
  return JSON.stringify({ columns, header, country, names })
}

/** Sends the file, to be tried or to be taken in. */
export const sendContacts = (
  holder: ContactHolder,
  { file, preview }: ContactFile,
  taking: UploadMapping,
  isDry: boolean,
): Promise<DryRun> => {
  const dryrun = isDry ? 'true' : 'false'
  if (taking.profile !== '')
    return http.upload('/campaignuploadprofile/{id}/upload', file, {
      params: { id: taking.profile },
      query: { dryrun },
    })
  return http.upload(IMPORT[holder.kind], file, {
    params: { id: holder.id },
    query: { dryrun, mapping: mappingText(taking, preview), partial: taking.partial ? 'true' : 'false' },
  })
}

/** Selects a file: rejects files over the limit, and reports read errors. */
const useChoose = (read: (file: File, header?: boolean) => Promise<void>) => {
  const { t } = useTranslation('contact')
  const [error, setError] = useState<string>()
  const [isReading, setReading] = useState(false)
  const choose = async (file: File, header?: boolean) => {
    setError(undefined)
    if (file.size > MAX_FILE_BYTES) return setError(t('map.toobig'))
    setReading(true)
    try {
      await read(file, header)
    } catch (failure) {
      const told = isProblem(failure) ? failure.errors[0]?.message : undefined
      setError(told ?? failureOf(failure, t('map.unreadable')))
    } finally {
      setReading(false)
    }
  }
  return { error, isReading, choose }
}

/** The file, how it is taken, and what would come of it. */
export const useContactFile = (holder: ContactHolder, profile: string) => {
  const [loaded, setLoaded] = useState<ContactFile>()
  const [taking, setTaking] = useState<UploadMapping>()
  const rested = useDebouncedValue(taking, CHANGE_PAUSE_MS)
  const isApt = rested !== undefined && (rested.profile !== '' || rested.targets.includes('phone'))
  const dryRun = useQuery({
    queryKey: ['contact', holder.id, 'dryrun', loaded?.file.name, loaded?.version, rested],
    queryFn: () => {
      if (loaded === undefined || rested === undefined) throw new Error('nothing to try')
      return sendContacts(holder, loaded, rested, true)
    },
    enabled: loaded !== undefined && isApt,
    retry: false,
    gcTime: 0,
    placeholderData: before => before,
  })
  const read = async (file: File, header?: boolean) => {
    const preview = await http.upload(PREVIEW[holder.kind], file, {
      params: { id: holder.id },
      query: header === undefined ? {} : { header: header ? 'true' : 'false' },
    })
    const reading = readCsv(new Uint8Array(await file.arrayBuffer()))
    if (!reading.ok) throw new Error(reading.fault.code)
    setLoaded(before => ({ file, sheet: reading.table, preview, version: (before?.version ?? 0) + 1 }))
    setTaking(before => ({
      targets: targetsOf(preview),
      header: preview.header,
      country: before?.country ?? preview.mapping.country,
      partial: before?.partial ?? false,
      profile: before?.profile ?? profile,
    }))
  }
  const { error, isReading, choose } = useChoose(read)
  const mend = (sheet: Sheet) =>
    setLoaded(before =>
      before === undefined
        ? undefined
        : {
            ...before,
            sheet,
            file: new File([sheetText(sheet)], before.file.name, { type: 'text/csv' }),
            version: before.version + 1,
          },
    )
  const take = (change: Partial<UploadMapping>) =>
    setTaking(before => (before === undefined ? before : { ...before, ...change }))
  return { loaded, taking, error, isReading, dryRun, isApt, choose, mend, take, isStale: rested !== taking }
}

/** Code of a line whose number is in an earlier line: it is left out, and the others go in. */
export const REPEATED = 'uploadline'

/** A cell: the stored text, and the file's text if different. */
export interface ReadCell {
  readonly column: number
  readonly kept: string
  readonly read: string | undefined
  readonly fault: string | undefined
}

/** A line of the file as it would be taken. */
export interface ReadRow {
  readonly line: number
  readonly cells: readonly ReadCell[]
  /** Why it is not taken. */
  readonly faults: readonly UploadFault[]
}

/** Columns to show: the used ones, or the first ones if a profile's rules apply. */
export const shownColumns = ({ targets, profile }: UploadMapping, most: number): readonly number[] =>
  targets.flatMap((target, place) => (target !== '' || profile !== '' ? [place] : [])).slice(0, most)

/** A fault's column, where it is of one. */
export const faultColumn = ({ column }: UploadFault, { targets }: UploadMapping): number | undefined => {
  if (typeof column === 'number') return column
  const place = column === null ? -1 : targets.indexOf(column)
  return place < 0 ? undefined : place
}

interface Reading {
  readonly sheet: Sheet
  readonly taking: UploadMapping
  readonly faults: readonly UploadFault[]
  readonly columns: readonly number[]
  /** Undefined until it is loaded. */
  readonly readPhone: PhoneReader | undefined
}

const keptOf = (text: string, target: string, { taking, readPhone }: Reading): string => {
  if (target !== 'phone') return contactText(text).text
  const reading = readPhone?.(text, taking.country)
  return reading?.ok === true ? reading.phone.e164 : text
}

/** Lines of the import preview with their faults: only faulty ones, or the first ones. */
export const readRows = (given: Reading, isRefusedOnly: boolean, most: number): readonly ReadRow[] => {
  const { sheet, taking, faults, columns } = given
  const byLine = Map.groupBy(faults, ({ line }) => line)
  const rows = sheet.rows.slice(taking.header ? 1 : 0)
  const shown = isRefusedOnly ? rows.filter(({ line }) => byLine.has(line)) : rows
  return shown.slice(0, most).map(({ line, cells }) => {
    const own = byLine.get(line) ?? []
    return {
      line,
      faults: own,
      cells: columns.map((column): ReadCell => {
        const text = cells[column] ?? ''
        const fault = own.find(each => faultColumn(each, taking) === column)?.message
        const kept = taking.profile === '' ? keptOf(text, taking.targets[column] ?? '', given) : text
        return { column, kept, read: kept === text ? undefined : text, fault }
      }),
    }
  })
}
