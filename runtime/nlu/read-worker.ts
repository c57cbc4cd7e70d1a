import { parentPort, workerData } from 'node:worker_threads'
import type { NluFile } from '#domain/nlu/format/gathered.ts'
import { readNlu } from '#domain/nlu/format/read-nlu.ts'
import { decodeUtf8, isZip, unzip } from '#domain/nlu/format/unzip.ts'
import { accepted, type Result } from '#schemas/refusal.ts'

/** Limits of one inflated archive. */
const LIMITS = { maxFiles: 5000, maxBytes: 64_000_000 }

const filesOf = (name: string, bytes: Uint8Array): Result<readonly NluFile[]> => {
  const found = isZip(bytes) ? unzip(bytes, LIMITS) : accepted(new Map([[name, bytes]]))
  if (!found.ok) return found
  const files: NluFile[] = []
  for (const [path, content] of found.value) {
    if (isZip(bytes) && !/\.(?:json|jsonl|ya?ml|md|csv|txt)$/iu.test(path)) continue
    const text = decodeUtf8(path, content)
    if (!text.ok) return text
    files.push({ path, text: text.value })
  }
  return accepted(files)
}

const { name, bytes, locale } = workerData as { name: string; bytes: Uint8Array; locale: string }
const files = filesOf(name, bytes)
parentPort?.postMessage(files.ok ? readNlu(files.value, locale) : files)
