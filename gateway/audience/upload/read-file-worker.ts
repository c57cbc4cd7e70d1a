import { parentPort, workerData } from 'node:worker_threads'
import type { FileReading } from '#domain/audience/file/fault.ts'
import { readCsv } from '#domain/audience/file/read-csv.ts'

const ZIP = [0x50, 0x4b, 0x03, 0x04]
/** Of compound documents: workbooks of the nineties, and encrypted ones. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]

const beginsWith = (bytes: Uint8Array, mark: readonly number[]) => mark.every((byte, at) => bytes[at] === byte)

/** By what it holds, whatever its name says. */
const readFile = (bytes: Uint8Array): FileReading => {
  if (beginsWith(bytes, ZIP)) return { ok: false, fault: { code: 'workbook' } }
  if (beginsWith(bytes, COMPOUND)) return { ok: false, fault: { code: 'xls' } }
  return readCsv(bytes)
}

parentPort?.postMessage(readFile(workerData as Uint8Array))
