/** Images. */
import {
  boolField,
  messageField,
  messageListField,
  stringField,
  stringListField,
  stringMapField,
  uintField,
} from './fields.js'
import { type InferMessage, message } from './message.js'
import { PodSandboxConfig } from './sandbox-config.js'
import { FilesystemUsage, Int64Value } from './values.js'

export const ImageSpec = message({
  image: stringField(1),
  annotations: stringMapField(2),
  userSpecifiedImage: stringField(18),
  runtimeHandler: stringField(19),
  imageRef: stringField(20),
})
export interface ImageSpec extends InferMessage<typeof ImageSpec> {}

export const ImageFilter = message({
  image: messageField<ImageSpec>(1, ImageSpec),
})
export interface ImageFilter extends InferMessage<typeof ImageFilter> {}

export const ListImagesRequest = message({
  filter: messageField<ImageFilter>(1, ImageFilter),
})
export interface ListImagesRequest extends InferMessage<typeof ListImagesRequest> {}

export const CriImage = message({
  id: stringField(1),
  repoTags: stringListField(2),
  repoDigests: stringListField(3),
  size: uintField(4),
  uid: messageField<Int64Value>(5, Int64Value),
  username: stringField(6),
  spec: messageField<ImageSpec>(7, ImageSpec),
  pinned: boolField(8),
})
export interface CriImage extends InferMessage<typeof CriImage> {}

export const ListImagesResponse = message({
  images: messageListField<CriImage>(1, CriImage),
})
export interface ListImagesResponse extends InferMessage<typeof ListImagesResponse> {}

export const StreamImagesRequest = message({
  filter: messageField<ImageFilter>(1, ImageFilter),
})
export interface StreamImagesRequest extends InferMessage<typeof StreamImagesRequest> {}

export const StreamImagesResponse = message({
  images: messageListField<CriImage>(1, CriImage),
})
export interface StreamImagesResponse extends InferMessage<typeof StreamImagesResponse> {}

export const ImageStatusRequest = message({
  image: messageField<ImageSpec>(1, ImageSpec),
  verbose: boolField(2),
})
export interface ImageStatusRequest extends InferMessage<typeof ImageStatusRequest> {}

export const ImageStatusResponse = message({
  image: messageField<CriImage>(1, CriImage),
  info: stringMapField(2),
})
export interface ImageStatusResponse extends InferMessage<typeof ImageStatusResponse> {}

export const AuthConfig = message({
  username: stringField(1),
  password: stringField(2),
  auth: stringField(3),
  serverAddress: stringField(4),
  identityToken: stringField(5),
  registryToken: stringField(6),
})
export interface AuthConfig extends InferMessage<typeof AuthConfig> {}

export const PullImageRequest = message({
  image: messageField<ImageSpec>(1, ImageSpec),
  auth: messageField<AuthConfig>(2, AuthConfig),
  sandboxConfig: messageField<PodSandboxConfig>(3, PodSandboxConfig),
})
export interface PullImageRequest extends InferMessage<typeof PullImageRequest> {}

export const PullImageResponse = message({
  imageRef: stringField(1),
})
export interface PullImageResponse extends InferMessage<typeof PullImageResponse> {}

export const RemoveImageRequest = message({
  image: messageField<ImageSpec>(1, ImageSpec),
})
export interface RemoveImageRequest extends InferMessage<typeof RemoveImageRequest> {}

export const RemoveImageResponse = message({})
export interface RemoveImageResponse extends InferMessage<typeof RemoveImageResponse> {}

export const ImageFsInfoRequest = message({})
export interface ImageFsInfoRequest extends InferMessage<typeof ImageFsInfoRequest> {}

export const ImageFsInfoResponse = message({
  imageFilesystems: messageListField<FilesystemUsage>(1, FilesystemUsage),
  containerFilesystems: messageListField<FilesystemUsage>(2, FilesystemUsage),
})
export interface ImageFsInfoResponse extends InferMessage<typeof ImageFsInfoResponse> {}
