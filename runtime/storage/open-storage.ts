import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreUnavailable } from '#commands/store/port.ts'
import { hasCredentials } from '#schemas/field/value-schema.ts'
import { type Settings, WrongSetting } from '#schemas/settings.ts'
import { openFolderStorage } from './folder-storage.ts'
import { openS3Storage, type S3Place } from './s3-storage.ts'
import type { FileStorage } from './storage-port.ts'

/** Access keys, under the names that every S3 tool uses. */
type AccessKeys = Pick<Settings, 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY' | 'AWS_SESSION_TOKEN'>

/** Removes trailing slashes. */
const trimmed = (text: string): string => {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}

const BUCKET = /^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/u

/**
 * `s3://bucket/prefix?region=…&endpoint=…`, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and optionally
 * AWS_SESSION_TOKEN. Default endpoint: Amazon's, in `region`, by default us-east-1.
 * @throws WrongSetting
 */
export const s3PlaceOf = (address: string, keys: AccessKeys): S3Place => {
  const url = URL.parse(address)
  const bucket = url?.hostname ?? ''
  if (url === null || !BUCKET.test(bucket)) throw new WrongSetting('STORAGE_URL must be like s3://bucket/prefix')
  for (const name of url.searchParams.keys())
    if (name !== 'region' && name !== 'endpoint') throw new WrongSetting(`STORAGE_URL has no parameter ${name}`)
  const region = url.searchParams.get('region') ?? 'us-east-1'
  const given = url.searchParams.get('endpoint')
  const endpoint = given === null ? `https://s3.${region}.amazonaws.com` : trimmed(given)
  if (!/^https?:$/u.test(URL.parse(endpoint)?.protocol ?? '') || hasCredentials(endpoint))
    throw new WrongSetting('STORAGE_URL must have an endpoint like https://host')
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN } = keys
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new WrongSetting('STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY beside s3://…')
  const path = trimmed(decodeURIComponent(url.pathname)).replace(/^\/+/u, '')
  if (!/^[\w./-]*$/u.test(path))
    throw new WrongSetting('STORAGE_URL must have a prefix of letters, digits, . _ - and /')
  return {
    endpoint,
    region,
    bucket,
    prefix: path === '' ? '' : `${path}/`,
    accessKeyId,
    secretAccessKey,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  }
}

/**
 * The storage that STORAGE_URL names, else a folder in PARLEY_DATA.
 * @throws WrongSetting
 */
export const openStorage = async (settings: Settings, folder: string): Promise<FileStorage> => {
  const { STORAGE_URL } = settings
  if (STORAGE_URL?.startsWith('s3:')) return openBucket(STORAGE_URL, settings)
  const root = STORAGE_URL === undefined ? join(folder, 'files') : folderOf(STORAGE_URL)
  try {
    return await openFolderStorage(root)
  } catch {
    throw new WrongSetting('STORAGE_URL must be a folder that can be written to')
  }
}

const openBucket = async (address: string, settings: Settings): Promise<FileStorage> => {
  const place = s3PlaceOf(address, settings)
  try {
    return await openS3Storage(place)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new WrongSetting(`STORAGE_URL can not be used: ${error.message}`)
  }
}

/** `file:///srv/files`, or `file:files` relative to the working directory. */
const folderOf = (address: string): string => {
  if (!address.startsWith('file://')) return resolve(decodeURIComponent(address.slice('file:'.length)))
  try {
    return fileURLToPath(address)
  } catch {
    throw new WrongSetting('STORAGE_URL must be the address of a folder of this machine: file:///folder')
  }
}
