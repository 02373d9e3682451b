// The native functions of DJL's PyTorchLibrary that Cutwater uses, for the PyTorch that is installed on a machine.
// Each follows the Java signature in ai.djl.pytorch.jni.PyTorchLibrary. A function that is missing here fails in Java
// with an UnsatisfiedLinkError that names it.

#include <jni.h>

#include <sstream>
#include <string>
#include <vector>

#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/script.h>
#include <torch/torch.h>

#define NATIVE(result, name) extern "C" JNIEXPORT result JNICALL Java_ai_djl_pytorch_jni_PyTorchLibrary_##name
#define THIS JNIEnv *env, jobject
#define BEGIN try {
#define END(result)                                                                      \
  }                                                                                      \
  catch (const std::exception &e) {                                                      \
    env->ThrowNew(env->FindClass("ai/djl/engine/EngineException"), e.what());            \
    return result;                                                                       \
  }

using torch::Tensor;

namespace {

const torch::ScalarType TYPES[] = {torch::kFloat32, torch::kFloat64, torch::kFloat16, torch::kUInt8,
                                   torch::kInt32,   torch::kInt8,    torch::kInt64,   torch::kBool};

Tensor &array(jlong handle) { return *reinterpret_cast<Tensor *>(handle); }

jlong handle(Tensor tensor) { return reinterpret_cast<jlong>(new Tensor(std::move(tensor))); }

torch::ScalarType type(jint number) {
  TORCH_CHECK(number >= 0 && number < 8, "data type ", number, " is not supported by Cutwater's bridge to PyTorch");
  return TYPES[number];
}

std::vector<int64_t> longs(JNIEnv *env, jlongArray array) {
  std::vector<int64_t> values(env->GetArrayLength(array));
  env->GetLongArrayRegion(array, 0, values.size(), reinterpret_cast<jlong *>(values.data()));
  return values;
}

// A type of device, 0 for the CPU or 1 for CUDA, and its number.
torch::Device device(JNIEnv *env, jintArray array) {
  jint values[2];
  env->GetIntArrayRegion(array, 0, 2, values);
  auto kind = static_cast<c10::DeviceType>(values[0]);
  return kind == c10::DeviceType::CPU ? torch::Device(kind) : torch::Device(kind, values[1]);
}

torch::TensorOptions options(JNIEnv *env, jint dtype, jintArray where, jboolean gradient) {
  return torch::TensorOptions().dtype(type(dtype)).device(device(env, where)).requires_grad(gradient);
}

}  // namespace

// Settings

NATIVE(void, torchShowConfig)(THIS, jobject set) {
  BEGIN
  jmethodID add = env->GetMethodID(env->GetObjectClass(set), "add", "(Ljava/lang/Object;)Z");
  if (torch::hasCUDA()) env->CallBooleanMethod(set, add, env->NewStringUTF("CUDA"));
  if (torch::hasMKL()) env->CallBooleanMethod(set, add, env->NewStringUTF("MKL"));
  END()
}
NATIVE(jint, torchGetNumThreads)(THIS) { BEGIN return torch::get_num_threads(); END(0) }
NATIVE(void, torchSetNumThreads)(THIS, jint threads) { BEGIN torch::set_num_threads(threads); END() }
NATIVE(jint, torchGetNumInteropThreads)(THIS) { BEGIN return torch::get_num_interop_threads(); END(0) }
NATIVE(void, torchSetNumInteropThreads)(THIS, jint threads) { BEGIN torch::set_num_interop_threads(threads); END() }
NATIVE(void, torchSetGradMode)(THIS, jboolean on) { BEGIN torch::GradMode::set_enabled(on); END() }
NATIVE(jboolean, torchIsGradMode)(THIS) { BEGIN return torch::GradMode::is_enabled(); END(false) }
NATIVE(void, setGraphExecutorOptimize)(THIS, jboolean on) { BEGIN torch::jit::setGraphExecutorOptimize(on); END() }
NATIVE(void, torchManualSeed)(THIS, jlong seed) { BEGIN torch::manual_seed(seed); END() }

// Arrays

NATIVE(jlong, torchFromBlob)
(THIS, jobject buffer, jlongArray shape, jint dtype, jint layout, jintArray where, jboolean gradient) {
  BEGIN
  auto here = torch::from_blob(env->GetDirectBufferAddress(buffer), longs(env, shape), torch::dtype(type(dtype)));
  return handle(here.to(device(env, where)).set_requires_grad(gradient));
  END(0)
}
NATIVE(jlong, torchZeros)
(THIS, jlongArray shape, jint dtype, jint layout, jintArray where, jboolean gradient) {
  BEGIN return handle(torch::zeros(longs(env, shape), options(env, dtype, where, gradient))); END(0)
}
NATIVE(jlong, torchOnes)
(THIS, jlongArray shape, jint dtype, jint layout, jintArray where, jboolean gradient) {
  BEGIN return handle(torch::ones(longs(env, shape), options(env, dtype, where, gradient))); END(0)
}
NATIVE(jlong, torchSparseCoo)(THIS, jlongArray shape, jlong places, jlong values, jboolean gradient) {
  BEGIN return handle(torch::sparse_coo_tensor(array(places), array(values), longs(env, shape)).set_requires_grad(gradient));
  END(0)
}
NATIVE(jlong, tensorClone)(THIS, jlong a) { BEGIN return handle(array(a).clone()); END(0) }
NATIVE(jlong, torchTo)(THIS, jlong a, jint dtype, jintArray where) {
  BEGIN return handle(array(a).to(device(env, where), type(dtype))); END(0)
}
NATIVE(void, torchDeleteTensor)(THIS, jlong a) { BEGIN delete &array(a); END() }
NATIVE(jobject, torchDirectByteBuffer)(THIS, jlong a) {
  BEGIN return env->NewDirectByteBuffer(array(a).data_ptr(), array(a).nbytes()); END(nullptr)
}
NATIVE(jlongArray, torchSizes)(THIS, jlong a) {
  BEGIN
  auto sizes = array(a).sizes();
  jlongArray result = env->NewLongArray(sizes.size());
  env->SetLongArrayRegion(result, 0, sizes.size(), reinterpret_cast<const jlong *>(sizes.data()));
  return result;
  END(nullptr)
}
NATIVE(jint, torchDType)(THIS, jlong a) {
  BEGIN
  for (jint i = 0; i < 8; i++)
    if (TYPES[i] == array(a).scalar_type()) return i;
  TORCH_CHECK(false, "data type ", array(a).dtype(), " is not supported by Cutwater's bridge to PyTorch");
  END(0)
}
NATIVE(jintArray, torchDevice)(THIS, jlong a) {
  BEGIN
  jint values[] = {static_cast<jint>(array(a).device().type()), array(a).device().index()};
  jintArray result = env->NewIntArray(2);
  env->SetIntArrayRegion(result, 0, 2, values);
  return result;
  END(nullptr)
}
NATIVE(jint, torchLayout)(THIS, jlong a) {
  BEGIN return array(a).layout() == torch::kStrided ? 0 : array(a).layout() == torch::kSparse ? 1 : 2; END(0)
}
NATIVE(jboolean, torchIsContiguous)(THIS, jlong a) { BEGIN return array(a).is_contiguous(); END(false) }

// Gradients

NATIVE(void, torchAttachGrad)(THIS, jlong a, jboolean on) { BEGIN array(a).requires_grad_(on); END() }
NATIVE(jboolean, torchRequiresGrad)(THIS, jlong a) { BEGIN return array(a).requires_grad(); END(false) }
NATIVE(jlong, torchGrad)(THIS, jlong a) {
  BEGIN
  Tensor gradient = array(a).grad();
  return gradient.defined() ? handle(gradient) : 0;
  END(0)
}
NATIVE(jlong, torchDetachGrad)(THIS, jlong a) { BEGIN return handle(array(a).detach()); END(0) }
NATIVE(void, torchBackward)(THIS, jlong a, jlong gradient, jboolean keeps, jboolean creates) {
  BEGIN array(a).backward(array(gradient), keeps, creates); END()
}

// Functions

#define UNARY(name, function) \
  NATIVE(jlong, name)(THIS, jlong a) { BEGIN return handle(function(array(a))); END(0) }
#define BINARY(name, function) \
  NATIVE(jlong, name)(THIS, jlong a, jlong b) { BEGIN return handle(function(array(a), array(b))); END(0) }
UNARY(torchExp, torch::exp)
UNARY(torchNeg, torch::neg)
UNARY(torchNNRelu, torch::relu)
UNARY(torchSigmoid, torch::sigmoid)
UNARY(torchTanh, torch::tanh)
UNARY(torchSum__J, torch::sum)
UNARY(torchMean__J, torch::mean)
BINARY(torchAdd, torch::add)
BINARY(torchSub, torch::sub)
BINARY(torchMul, torch::mul)
BINARY(torchTrueDivide, torch::true_divide)
BINARY(torchMatmul, torch::matmul)

NATIVE(void, torchAddi)(THIS, jlong a, jlong b) { BEGIN array(a).add_(array(b)); END() }
NATIVE(jlong, torchNNElu)(THIS, jlong a, jdouble alpha) { BEGIN return handle(torch::elu(array(a), alpha)); END(0) }
NATIVE(jlong, torchNNLeakyRelu)(THIS, jlong a, jdouble slope) {
  BEGIN return handle(torch::leaky_relu(array(a), slope)); END(0)
}
NATIVE(jlong, torchReshape)(THIS, jlong a, jlongArray shape) {
  BEGIN return handle(array(a).reshape(longs(env, shape))); END(0)
}
NATIVE(jlong, torchUnsqueeze)(THIS, jlong a, jlong axis) { BEGIN return handle(array(a).unsqueeze(axis)); END(0) }
NATIVE(jlong, torchSum__J_3JZ)(THIS, jlong a, jlongArray axes, jboolean keeps) {
  BEGIN return handle(array(a).sum(longs(env, axes), keeps)); END(0)
}
NATIVE(jlong, torchMean__JJZ)(THIS, jlong a, jlong axis, jboolean keeps) {
  BEGIN return handle(array(a).mean(axis, keeps)); END(0)
}
NATIVE(jlong, torchLogSoftmax)(THIS, jlong a, jlong axis, jint dtype) {
  BEGIN return handle(torch::log_softmax(array(a), axis, type(dtype))); END(0)
}
NATIVE(jlong, torchGather)(THIS, jlong a, jlong index, jlong axis, jboolean sparse) {
  BEGIN return handle(torch::gather(array(a), axis, array(index), sparse)); END(0)
}
NATIVE(jlong, torchCat)(THIS, jlongArray parts, jlong axis) {
  BEGIN
  std::vector<Tensor> tensors;
  for (int64_t part : longs(env, parts)) tensors.push_back(array(part));
  return handle(torch::cat(tensors, axis));
  END(0)
}

using Index = std::vector<torch::indexing::TensorIndex>;

NATIVE(jlong, torchIndexInit)(THIS, jint size) {
  BEGIN
  Index *index = new Index();
  index->reserve(size);
  return reinterpret_cast<jlong>(index);
  END(0)
}
NATIVE(void, torchDeleteIndex)(THIS, jlong index) { BEGIN delete reinterpret_cast<Index *>(index); END() }
NATIVE(void, torchIndexAppendSlice)(THIS, jlong index, jlong from, jlong to, jlong step, jint open) {
  BEGIN
  using torch::indexing::Slice;
  auto none = torch::indexing::None;
  auto &all = *reinterpret_cast<Index *>(index);
  // Bit 1: no beginning; bit 0: no end.
  if (open == 0) all.emplace_back(Slice(from, to, step));
  else if (open == 1) all.emplace_back(Slice(from, none, step));
  else if (open == 2) all.emplace_back(Slice(none, to, step));
  else all.emplace_back(Slice(none, none, step));
  END()
}
NATIVE(jlong, torchIndexAdvGet)(THIS, jlong a, jlong index) {
  BEGIN return handle(array(a).index(*reinterpret_cast<Index *>(index))); END(0)
}

// Scripts

using Module = torch::jit::script::Module;

NATIVE(jlong, moduleLoad__Ljava_io_InputStream_2_3IZ_3BJ)
(THIS, jobject stream, jintArray where, jboolean maps, jbyteArray buffer, jlong size) {
  BEGIN
  jmethodID read = env->GetMethodID(env->GetObjectClass(stream), "read", "([B)I");
  std::string content;
  for (jint count; (count = env->CallIntMethod(stream, read, buffer)) > 0;) {
    if (env->ExceptionCheck()) return 0;
    size_t before = content.size();
    content.resize(before + count);
    env->GetByteArrayRegion(buffer, 0, count, reinterpret_cast<jbyte *>(&content[before]));
  }
  if (env->ExceptionCheck()) return 0;
  std::istringstream in(content);
  return reinterpret_cast<jlong>(new Module(torch::jit::load(in)));
  END(0)
}
NATIVE(void, torchDeleteModule)(THIS, jlong module) { BEGIN delete reinterpret_cast<Module *>(module); END() }
NATIVE(jlong, moduleRunMethod)
(THIS, jlong module, jstring name, jlongArray arguments, jboolean trains, jboolean hasOwnStream) {
  BEGIN
  const char *chars = env->GetStringUTFChars(name, nullptr);
  std::string method(chars);
  env->ReleaseStringUTFChars(name, chars);
  std::vector<c10::IValue> inputs;
  for (int64_t argument : longs(env, arguments)) inputs.push_back(*reinterpret_cast<c10::IValue *>(argument));
  torch::AutoGradMode records(trains && torch::GradMode::is_enabled());
  return reinterpret_cast<jlong>(
      new c10::IValue(reinterpret_cast<Module *>(module)->get_method(method)(std::move(inputs))));
  END(0)
}
NATIVE(jlong, iValueFromTensor)(THIS, jlong a) { BEGIN return reinterpret_cast<jlong>(new c10::IValue(array(a))); END(0) }
NATIVE(jboolean, iValueIsTensor)(THIS, jlong value) {
  BEGIN return reinterpret_cast<c10::IValue *>(value)->isTensor(); END(false)
}
NATIVE(jlong, iValueToTensor)(THIS, jlong value) {
  BEGIN return handle(reinterpret_cast<c10::IValue *>(value)->toTensor()); END(0)
}
NATIVE(void, torchDeleteIValue)(THIS, jlong value) { BEGIN delete reinterpret_cast<c10::IValue *>(value); END() }

// Optimisers

NATIVE(void, adamUpdate)
(THIS, jlong weight, jlong gradient, jlong mean, jlong variance, jfloat rate, jfloat corrected, jfloat decay,
 jfloat scale, jfloat clip, jfloat beta1, jfloat beta2, jfloat epsilon, jboolean isAdamW) {
  BEGIN
  TORCH_CHECK(!isAdamW && clip < 0, "AdamW and clipping are not supported by Cutwater's bridge to PyTorch");
  torch::NoGradGuard guard;
  Tensor of = array(gradient);
  if (scale != 1) of = of.mul(scale);
  if (decay != 0) of = of.add(array(weight), decay);
  array(mean).mul_(beta1).add_(of, 1 - beta1);
  array(variance).mul_(beta2).addcmul_(of, of, 1 - beta2);
  array(weight).sub_(array(mean).mul(corrected).div(array(variance).sqrt().add(epsilon)));
  END()
}
