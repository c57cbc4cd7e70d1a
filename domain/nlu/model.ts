import type { Classifier } from './classifier.ts'
import type { ExactLines } from './exact-lines.ts'
import { type LookupTable, lookupTableOf } from './lookup-table.ts'
import { unpackModel } from './model-file.ts'
import { type Tagger, taggerOf } from './tagger.ts'
import type { ModelHeader } from './train-model.ts'

/** A loaded model; its arrays are views of the bytes that it was read from. */
export interface NluModel {
  readonly header: ModelHeader
  readonly classifier: Classifier
  readonly exact: ExactLines
  readonly lookups: LookupTable
  readonly tagger: Tagger | undefined
  readonly synonyms: ReadonlyMap<string, string>
}

/** Throws where the bytes are no model of this version. */
export const openModel = (bytes: Uint8Array<ArrayBuffer>): NluModel => {
  const model = unpackModel<ModelHeader>(bytes)
  const { header } = model
  return {
    header,
    classifier: {
      rows: model.section('rows', 'i8'),
      scales: model.section('scales', 'f32'),
      keys: model.section('keys', 'i32'),
      slots: model.section('slots', 'i32'),
      idf: model.section('idf', 'f32'),
      unknownIdf: header.unknownIdf,
      calibration: header.calibration,
    },
    exact: {
      keys: model.section('exactKeys', 'i32'),
      checks: model.section('exactChecks', 'i32'),
      intents: model.section('exactIntents', 'u16'),
      slots: model.section('exactSlots', 'i32'),
    },
    lookups: lookupTableOf(model),
    tagger: header.tagger === null ? undefined : taggerOf(header.tagger, model),
    synonyms: new Map(header.synonyms),
  }
}
