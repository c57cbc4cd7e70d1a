import { Box, Button, chakra, HStack, Link, Text } from '@chakra-ui/react'
import { Paperclip, Upload, X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isFile } from '#domain/field/stored-items.ts'
import type { Json } from '#schemas/event.ts'
import { FILE_TYPES } from '#schemas/field/file-type.ts'
import type { FileField, ImageField } from '#schemas/field/kind.ts'
import type { FileValue } from '#schemas/field/value-schema.ts'
import { fileUrl } from '#web/api/http.ts'
import { IconButton } from '#web/components/hint.tsx'
import { UploadProgress, useUploadProgress } from '#web/components/upload-progress.tsx'
import type { Value } from '#web/entity/entity-query.ts'
import { bytesOf } from '#web/format/number.ts'
import { useProblemText } from '../use-problem-text.ts'
import { attributesOf, type ControlProps } from './control-props.ts'
import { LineControl } from './line-control.tsx'
import { uploadFile } from './use-cloud-upload.ts'

/** Uploads a file for a field. A file that the field cannot take is refused before it is sent, in the server's words. */
const useUpload = ({ accept, maxBytes }: FileField | ImageField, onUploaded: (file: Value) => void) => {
  const text = useProblemText()
  const progress = useUploadProgress()
  const refusalOf = (file: File): string | undefined => {
    if (file.size > maxBytes) return text('field.toolarge', { max: maxBytes })
    if (file.size === 0) return text('field.toosmall', { min: 1 })
    // The server finds the type in the content; the browser's guess counts only where it is a known type.
    const known = FILE_TYPES.find(type => type === file.type)
    return known !== undefined && !accept.includes(known) ? text('field.option') : undefined
  }
  const upload = async (file: File) => {
    const refusal = refusalOf(file)
    progress.fail(refusal)
    if (refusal !== undefined) return
    await progress.run(async options => {
      const stored = await uploadFile(file, options)
      if (accept.includes(stored.type)) onUploaded({ ...stored })
      else progress.fail(text('field.option'))
    })
  }
  return { upload, progress }
}

interface FileProps extends ControlProps<Value | undefined, Value> {
  readonly field: FileField | ImageField
}

const urlOf = (file: FileValue) => fileUrl('/file/{id}', { params: { id: file.id } })

interface UploadProps extends FileProps {
  readonly isReplacing: boolean
}

const UploadButton = ({ isReplacing, field, onChange, ...props }: UploadProps) => {
  const { t } = useTranslation('shell')
  const input = useRef<HTMLInputElement>(null)
  const { upload, progress } = useUpload(field, onChange)
  const errorId = `${props.id}-upload`
  const describedBy = [progress.error === undefined ? '' : errorId, props.describedBy ?? ''].join(' ').trim()
  return (
    <Box flex="none">
      <chakra.input
        ref={input}
        type="file"
        display="none"
        accept={field.accept.join(',')}
        onChange={event => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file !== undefined) void upload(file)
        }}
      />
      <Button
        {...attributesOf({ ...props, describedBy: describedBy === '' ? undefined : describedBy })}
        aria-labelledby={`${props.id}-label ${props.id}`}
        h={{ base: '11', md: '8' }}
        disabled={props.disabled === true || progress.busy}
        onClick={() => input.current?.click()}
      >
        <Upload size={14} aria-hidden="true" />
        {t(isReplacing ? 'form.replace' : 'form.upload')}
      </Button>
      <UploadProgress id={errorId} {...progress} />
    </Box>
  )
}

const FileRow = ({ file, isFixed, onRemove }: { file: FileValue; isFixed: boolean; onRemove: () => void }) => {
  const { t } = useTranslation('shell')
  return (
    <HStack gap="2" minW="0" fontSize="sm">
      <Paperclip size={14} aria-hidden="true" />
      <Link href={urlOf(file)} target="_blank" rel="noreferrer" truncate>
        {file.name}
      </Link>
      <Text as="span" color="fg.muted" textStyle="secondary" whiteSpace="nowrap">
        {bytesOf(file.size)}
      </Text>
      {isFixed ? null : <IconButton icon={X} label={t('form.removefile', { name: file.name })} onClick={onRemove} />}
    </HStack>
  )
}

const Nothing = ({ id }: { readonly id: string }) => (
  <Text id={id} color="fg.subtle" fontSize="sm" lineHeight="32px">
    –
  </Text>
)

/** An uploaded file: its name as a link, its size, and the buttons to replace and remove it. */
export const FileControl = (props: FileProps) => {
  const { value = null, onChange } = props
  const isFixed = props.readOnly === true || props.disabled === true
  const file = isFile(value as Json) ? (value as FileValue) : undefined
  if (file === undefined && isFixed) return <Nothing id={props.id} />
  return (
    <HStack w="100%" gap="3" flexWrap="wrap">
      {file === undefined ? null : <FileRow file={file} isFixed={isFixed} onRemove={() => onChange(null)} />}
      {isFixed ? null : <UploadButton {...props} isReplacing={file !== undefined} />}
    </HStack>
  )
}

const Preview = ({ src }: { readonly src: string }) => (
  <chakra.img
    src={src}
    alt=""
    maxH="72px"
    maxW="144px"
    borderWidth="1px"
    borderRadius="md"
    objectFit="contain"
    bg="bg.subtle"
    onError={event => {
      event.currentTarget.style.visibility = 'hidden'
    }}
    onLoad={event => {
      event.currentTarget.style.visibility = 'visible'
    }}
  />
)

/** A picture: its address or an uploaded file, with a preview. */
export const ImageControl = (props: FileProps) => {
  const { t } = useTranslation('shell')
  const { value = null, onChange } = props
  const isFixed = props.readOnly === true || props.disabled === true
  const file = isFile(value as Json) ? (value as FileValue) : undefined
  const address = typeof value === 'string' ? value : ''
  const source = file === undefined ? address : urlOf(file)
  const uploadProps = { ...props, id: `${props.id}-file` }
  return (
    <Box w="100%">
      <HStack gap="2" align="flex-start">
        {file === undefined ? (
          <LineControl {...props} type="url" value={address} onChange={onChange} placeholder={t('form.imageaddress')} />
        ) : (
          <FileRow file={file} isFixed={isFixed} onRemove={() => onChange(null)} />
        )}
        {isFixed ? null : <UploadButton {...uploadProps} isReplacing={file !== undefined} />}
      </HStack>
      {/^(?:https?:\/\/|\/)/u.test(source) ? (
        <Box mt="2">
          <Preview key={source} src={source} />
        </Box>
      ) : null}
    </Box>
  )
}
