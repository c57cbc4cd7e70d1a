import type { TFunction } from 'i18next'
import type { FlowModel } from '#domain/flow/document/model.ts'
import { timeIn } from '#web/format/time.ts'
import type { Translate } from '../model/label.ts'
import { download } from './download.ts'

interface Printed {
  readonly flow: FlowModel
  readonly name: string
  /** Of the blocks. */
  readonly words: Translate
  readonly t: TFunction<'designer'>
  readonly language: string
}

/** Downloads the flow as a PDF. The PDF module loads on first use. */
export const printFlow = async ({ flow, name, words, t, language }: Printed): Promise<void> => {
  const { flowPdf } = await import('../pdf/flow-pdf.ts')
  const made = timeIn(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date())
  const heading = {
    title: name,
    beside: (count: number) => t('pdf.beside', { count, made }),
    language,
    page: (number: number, of: number) => t('pdf.page', { number, of }),
    goesOn: (page: number) => t('pdf.goesOn', { page }),
    elsewhere: (page: number) => t('pdf.elsewhere', { page }),
    sections: t('pdf.sections'),
  }
  const bytes = await flowPdf(flow, heading, words)
  download(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), name, '.pdf')
}
