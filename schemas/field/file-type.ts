/** Types of files that may be uploaded, with their common names. None of them can contain a script or a macro. */
export const FILE_TYPE_NAMES = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
  'image/avif': 'AVIF',
  'image/heic': 'HEIC',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
  'audio/aac': 'AAC',
  'audio/amr': 'AMR',
  'audio/ogg': 'Ogg',
  'audio/wav': 'WAV',
  'video/mp4': 'MP4',
  'video/quicktime': 'MOV',
  'video/webm': 'WebM',
  'video/3gpp': '3GP',
  'application/pdf': 'PDF',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'PPTX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'application/vnd.oasis.opendocument.spreadsheet': 'ODS',
  'application/vnd.oasis.opendocument.presentation': 'ODP',
  'application/zip': 'ZIP',
  'application/json': 'JSON',
  'text/csv': 'CSV',
  'text/plain': 'TXT',
} as const
export type FileType = keyof typeof FILE_TYPE_NAMES
export const FILE_TYPES = Object.keys(FILE_TYPE_NAMES) as unknown as readonly [FileType, ...FileType[]]

/** Images that every browser shows. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const satisfies readonly FileType[]

/** Bytes of a file in a field, unless its declaration says otherwise. */
export const MAX_FILE_BYTES = 1_048_576
/** Bytes of the largest upload that a setting can allow. */
export const MAX_UPLOAD_BYTES = 100 * 1_048_576

/** An upload's id as POST /file gives it. */
export const FILE_ID = /^[\da-f]{64}$/
