import { mkdirSync, statfsSync } from 'node:fs'
import { StoreReadOnly, StoreUnavailable } from '../port.ts'

/** statfs(2) types on which neither SQLite's locks nor its shared memory can be trusted. */
const NETWORK: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  1397113167: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
  198183888: 'Lustre',
  1196443219: 'GPFS',
  18225520: 'GFS2',
  1952539503: 'OCFS2',
}

/** Creates the folder (mode 700) if missing, and refuses one on a network file system. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new StoreReadOnly(`The folder ${folder} cannot be made (${error instanceof Error ? error.message : error})`)
  }
  const network = networkName(statfsSync(folder).type)
  if (network) throw new StoreUnavailable(`The folder ${folder} lies on a network file system (${network})`)
}

/** @param type of statfs(2), which some systems give as a signed number */
export function networkName(type: number): string | undefined {
  return NETWORK[type >>> 0]
}
