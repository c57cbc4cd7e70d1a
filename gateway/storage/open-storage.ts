import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Settings } from '#schemas/settings.ts'
import { WrongSetting } from '../settings.ts'
import { openFolderStorage } from './folder-storage.ts'
import type { FileStorage } from './port.ts'

/**
 * The storage that STORAGE_URL names, else a folder in PARLEY_DATA.
 * @throws WrongSetting
 */
export const openStorage = async ({ STORAGE_URL }: Settings, folder: string): Promise<FileStorage> => {
  const root = STORAGE_URL === undefined ? join(folder, 'files') : folderOf(STORAGE_URL)
  try {
    return await openFolderStorage(root)
  } catch {
    throw new WrongSetting('STORAGE_URL must be a folder that can be written to')
  }
}

/** `file:///srv/files`, or `file:files` relative to where the program was started. */
const folderOf = (address: string): string => {
  if (address.startsWith('s3:'))
    throw new WrongSetting('STORAGE_URL can not be s3://… in this version: give a folder as file:…')
  if (!address.startsWith('file://')) return resolve(decodeURIComponent(address.slice('file:'.length)))
  try {
    return fileURLToPath(address)
  } catch {
    throw new WrongSetting('STORAGE_URL must be the address of a folder of this machine: file:///folder')
  }
}
