/** Types of files that may be uploaded. What can carry a script (SVG, HTML, XML) is none of them. */
export const FILE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'video/mp4',
  'application/pdf',
  'application/zip',
  'application/json',
  'text/csv',
  'text/plain',
] as const
/** What people call them. */
export const FILE_TYPE_NAMES: Readonly<Record<(typeof FILE_TYPES)[number], string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'audio/mpeg': 'MP3',
  'audio/ogg': 'Ogg',
  'audio/wav': 'WAV',
  'video/mp4': 'MP4',
  'application/pdf': 'PDF',
  'application/zip': 'ZIP',
  'application/json': 'JSON',
  'text/csv': 'CSV',
  'text/plain': 'TXT',
}
export type FileType = (typeof FILE_TYPES)[number]

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const satisfies readonly FileType[]

/** Bytes of a file in a field, unless its declaration says otherwise. */
export const MAX_FILE_BYTES = 1_048_576
/** Bytes of the largest upload that a setting can allow. */
export const MAX_UPLOAD_BYTES = 100 * 1_048_576
