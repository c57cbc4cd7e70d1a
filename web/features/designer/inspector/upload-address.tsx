import { chakra } from '@chakra-ui/react'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type FieldPath, fieldAt } from '#domain/flow/document/location.ts'
import { FILE_TYPES, IMAGE_TYPES, MAX_UPLOAD_BYTES } from '#schemas/field/file-type.ts'
import type { FileUpload } from '#schemas/flow/block-field.ts'
import { useSession } from '#web/api/session.ts'
import { UploadProgress } from '#web/components/upload-progress.tsx'
import { type CloudUpload, useCloudUpload } from '#web/form/control/use-cloud-upload.ts'
import { usePlace } from './form-context.ts'

const ACCEPT: Readonly<Record<FileUpload['accept'], readonly string[]>> = {
  picture: IMAGE_TYPES,
  media: FILE_TYPES.filter(type => /^(?:image|audio|video)\//u.test(type)),
  file: FILE_TYPES,
}

interface UploadAddressProps {
  readonly path: FieldPath
  readonly type: string
  readonly upload: FileUpload
}

/** Under an address: uploads a file, writes its address there and its media type and name beside it. */
export const UploadAddress = ({ path, type, upload: { accept, ...beside } }: UploadAddressProps) => {
  const { t } = useTranslation('designer')
  const { can } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const at = (name = ''): FieldPath => {
    const [first = name, ...rest] = path.slice(0, -1)
    return path.length < 2 ? [name] : [first, ...rest, name]
  }
  const address = usePlace(path, fieldAt(type, path))
  const media = usePlace(at(beside.type), fieldAt(type, at(beside.type)))
  const name = usePlace(at(beside.name), fieldAt(type, at(beside.name)))
  const onUploaded = (file: CloudUpload) => {
    address.set(file.address)
    if (beside.type !== undefined) media.set(file.type)
    if (beside.name !== undefined && (name.value ?? '') === '') name.set(file.name)
  }
  const { upload, progress } = useCloudUpload({
    ...{ accept: ACCEPT[accept], maxBytes: MAX_UPLOAD_BYTES, isRenamed: true },
    onUploaded,
  })
  if (!address.mayEdit || !can('createcloudfile')) return null
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        display="none"
        aria-label={t(`upload.${accept}`)}
        accept={ACCEPT[accept].join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void upload(file)
        }}
      />
      <button type="button" className="pl-open" disabled={progress.busy} onClick={() => input.current?.click()}>
        <Upload size={13} aria-hidden />
        {t(`upload.${accept}`)}
      </button>
      <UploadProgress {...progress} />
    </>
  )
}
