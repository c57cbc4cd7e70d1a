import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StoreUnavailable } from '#commands/store/port.ts'
import type { Settings } from '#schemas/settings.ts'
import { WrongSetting } from '#schemas/settings.ts'
import { openFolderStorage } from './folder-storage.ts'
import type { FileStorage } from './port.ts'
import { s3PlaceOf } from './s3-place.ts'
import { openS3Storage } from './s3-storage.ts'

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
